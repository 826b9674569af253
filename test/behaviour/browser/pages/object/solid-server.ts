import { createComponent } from "solid-js";
import { generateHydrationScript, renderToString } from "solid-js/web";
import { App } from "./solid-app.jsx";

export const render = (): string => renderToString(() => createComponent(App, {}));
export const head: string = generateHydrationScript();
