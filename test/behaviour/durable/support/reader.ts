/**
 * `node reader.js PORT FILE`: follows the run, and keeps the value and the id of its last event in a file, from which the
 * next reader continues. At the end it prints the value.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { JsonValue } from "millrace";
import { applyPatch } from "millrace/json";
import { ClientError, fromEventStream } from "millrace/client";

const [port, file] = process.argv.slice(2) as [string, string];
interface Kept {
  readonly id?: string;
  readonly value: JsonValue;
}
let kept: Kept = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Kept) : { value: null };
let id: string | undefined;
for (;;) {
  try {
    const patches = fromEventStream(`http://127.0.0.1:${port}/`, {
      maxRetries: 1_000,
      random: () => 1,
      fetch: (url, init) => {
        const headers = new Headers(init.headers);
        if (kept.id !== undefined) headers.set("last-event-id", kept.id);
        return fetch(url, { ...init, headers });
      },
      onEvent: (event) => {
        if (event.type === "patch") id = event.id;
      },
    });
    for await (const patch of patches) {
      kept = { ...(id !== undefined && { id }), value: applyPatch(kept.value, patch) };
      writeFileSync(`${file}.new`, JSON.stringify(kept));
      renameSync(`${file}.new`, file);
    }
    console.log(`done ${JSON.stringify(kept.value)}`);
    break;
  } catch (error) {
    // The run has not begun yet.
    if (!(error instanceof ClientError) || error.reason !== "unknown_run") throw error;
    await sleep(20);
  }
}
