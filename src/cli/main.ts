#!/usr/bin/env node
import { exitCodes } from "./exit-codes.js";
import { millrace } from "./millrace.js";
import { Stop, type StopCode } from "./stop.js";

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
process.exitCode = exitCodes.internal;
process.exitCode = await millrace(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  signal: controller.signal,
});
