import { hydrate } from "svelte";
import App from "./svelte-app.svelte";

hydrate(App, { target: document.querySelector("main") as Element });
