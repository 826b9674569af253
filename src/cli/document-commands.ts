/** Two commands that share one file of the package. */
export { extractCommand } from "./extract/extract-command.js";
export { workerCommand } from "./extract/tasks/worker-command.js";
