import { createComponent } from "solid-js";
import { hydrate } from "solid-js/web";
import { App } from "./solid-app.jsx";

hydrate(() => createComponent(App, {}), document.querySelector("main") as Element);
