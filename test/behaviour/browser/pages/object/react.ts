import { hydrateRoot } from "react-dom/client";
import { app } from "./react-app.js";

hydrateRoot(document.querySelector("main") as Element, app());
