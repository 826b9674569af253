import { render as renderToString } from "svelte/server";
import App from "./svelte-app.svelte";

export const render = (): string => renderToString(App).body;
