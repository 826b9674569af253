#!/usr/bin/env node
import { millrace } from "./millrace.js";
import { written } from "./terminal/ndjson.js";
import { Stop, type StopCode } from "./terminal/stop.js";
import { noop } from "../stream/core/result.js";

const controller = new AbortController();

/** The first signal lets the command clean up. A second signal ends the process at once. */
function stopOn(signal: NodeJS.Signals, code: StopCode): void {
  process.on(signal, () => {
    const stop = new Stop(code);
    if (controller.signal.aborted) process.exit(stop.exitCode);
    controller.abort(stop);
  });
}

stopOn("SIGINT", "interrupted");
stopOn("SIGTERM", "terminated");
// The command handles these errors while it runs. Later ones, such as a closed pipe, are ignored.
process.stdout.on("error", noop);
process.stderr.on("error", noop);
const exitCode = await millrace(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  signal: controller.signal,
});
await written(process.stdout);
await written(process.stderr);
// Exit explicitly: Node would wait for open timers, such as those of the mock server.
process.exit(exitCode);
