import { createElement } from "react";
import { hydrateRoot } from "react-dom/client";
import { Page } from "./module-store-app.js";

hydrateRoot(document.querySelector("main") as Element, createElement(Page));
