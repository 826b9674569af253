#!/usr/bin/env node
import { millrace } from "./commands/millrace.js";
import { written } from "./terminal/ndjson.js";
import { Stop, type StopCode } from "./terminal/stop.js";

const controller = new AbortController();

/** The first signal lets the command close what it has open. Who asks again does not want to wait for that. */
function stopOn(signal: NodeJS.Signals, code: StopCode): void {
  process.on(signal, () => {
    const stop = new Stop(code);
    if (controller.signal.aborted) process.exit(stop.exitCode);
    controller.abort(stop);
  });
}

stopOn("SIGINT", "interrupted");
stopOn("SIGTERM", "terminated");
// The command listens too, as long as it runs. A reader that goes away after that is nobody's trouble.
process.stdout.on("error", () => {});
process.stderr.on("error", () => {});
const exitCode = await millrace(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  signal: controller.signal,
});
await written(process.stdout);
await written(process.stderr);
// Not left to Node, which would wait for whatever still has a timer: the mock server goes on answering a client that
// has left.
process.exit(exitCode);
