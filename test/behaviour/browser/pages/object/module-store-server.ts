import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { Page } from "./module-store-app.js";

export const render = (): string => renderToString(createElement(Page));
