import { renderToString } from "react-dom/server";
import { app } from "./react-app.js";

export const render = (): string => renderToString(app());
