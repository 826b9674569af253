/**
 * Run by each runtime: imports every entry, streams from a server that speaks Chat Completions, serves what it reads by
 * `node:http`, and reads that back. Prints one line of JSON.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { jsonParser, last, pipe, type JsonValue } from "millrace";
import { type AnyPatchOperation, applyPatch } from "millrace/json";
import { createPatchStore, fromEventStream } from "millrace/client";
import { openai } from "millrace/openai";
import { memoryLog, fromNodeRequest, toEventStream, toNodeResponse } from "millrace/serve";

const [baseURL = "", ...entries] = process.argv.slice(2);

const exported: string[] = [];
for (const entry of entries) {
  const names = Object.keys((await import(entry)) as object);
  if (names.length > 0) exported.push(entry);
}

const parser = jsonParser(undefined, { append: true });
const modelOf = (model: string): ReturnType<typeof openai> => openai({ model, baseURL, apiKey: "of-nobody" });

const log = memoryLog();
const server = createServer((request, response) => void answer(request, response));
await once(server.listen(0, "127.0.0.1"), "listening");
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/runs/1`;

// A run that is made, and read while it is.
const [served, ids] = await read(await fetch(url, { method: "POST" }));
// The same from its third event on, and, for who comes without an id, whole.
const [rest] = await read(await fetch(url, { headers: { "last-event-id": ids[2] ?? "" } }), served.at(2));
const store = createPatchStore();
await store.connect(url);

// A client that leaves in the middle.
let partials = 0;
for await (const _partial of pipe(modelOf("endless").stream("A tea, please"), parser.stream)) {
  if (++partials === 3) break;
}
const left = await (await fetch(`${baseURL}/left`)).text();

console.log(
  JSON.stringify({
    exported,
    whole: await last(pipe(modelOf("whole").stream("A tea, please"), parser.final)),
    served: served.at(-1),
    grew: served.length > 5,
    resumed: rest.length === served.length - 3 ? rest.at(-1) : `${rest.length} of ${served.length} patches`,
    late: store.getState(),
    partials,
    left,
  }),
);
server.closeAllConnections();
server.close();

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const asked = fromNodeRequest(request, response);
  const patches =
    asked.method === "POST"
      ? pipe(modelOf("whole").stream("A tea, please", { signal: asked.signal }), parser.patches)
      : undefined;
  const lastEventId = asked.headers.get("last-event-id");
  await toNodeResponse(toEventStream(patches, { log, id: asked.url, lastEventId }), response);
}

/** The value after each patch of a response, and the ids of its events. */
async function read(
  response: Response,
  begin?: JsonValue,
): Promise<readonly [values: readonly JsonValue[], ids: readonly string[]]> {
  const ids: string[] = [];
  const onEvent = (event: { readonly type: string; readonly id?: string }): void => {
    if (event.type === "patch") ids.push(event.id ?? "");
  };
  const values: JsonValue[] = [];
  let value: JsonValue = begin ?? null;
  const patches: AsyncIterable<readonly AnyPatchOperation[]> = fromEventStream(response, { onEvent });
  for await (const patch of patches) values.push((value = applyPatch(value, patch)));
  return [values, ids];
}
