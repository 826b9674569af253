export { PlaygroundError, type PlaygroundErrorCode } from "./playground-error.js";
export { startPlayground, type StartedPlayground, type StartOptions } from "./start-playground.js";
