/** Two small commands that share one file of the package. */
export { demoCommand } from "./commands/demo-command.js";
export { runCommand } from "./commands/run-command.js";
