import type { PatchEnd, PatchEvent } from "../../json/patch/patch-entry.js";
import { Projection, rfcAbilities } from "../../json/patch/project.js";

/**
 * The format of a stream of patches:
 *
 * - `sse`: server-sent events, for `EventSource` and `fromEventStream()`
 * - `ndjson`: one event per line
 * - `json-patch`: one RFC 6902 document, a growing array of all operations. A stream that fails or is stopped ends
 *   without the closing bracket.
 */
export type StreamFormat = "sse" | "ndjson" | "json-patch";

/** Encodes one stream. */
export interface Encoder {
  readonly contentType: string;
  /** Sent at once, so that proxies forward the headers. */
  readonly start: string;
  /** Sent while the stream is idle. Carries no data. */
  readonly heartbeatText: string;
  patch(event: PatchEvent): string;
  /** Returns `undefined` if the format cannot express this end: the stream is then cut. */
  end(end: PatchEnd): string | undefined;
}

const writeSse = writtenOnce(({ id, patch }) => `id: ${id}\ndata: ${JSON.stringify(patch)}\n\n`);
const writeNdjson = writtenOnce((event) => `${JSON.stringify(event)}\n`);

/** Writes an event once for all readers that get the same one: the whole value at a moment, from a log. */
function writtenOnce(write: (event: PatchEvent) => string): (event: PatchEvent) => string {
  const texts = new WeakMap<PatchEvent, string>();
  return (event) => {
    const [first] = event.patch;
    if (first?.path !== "" || first.op !== "replace") return write(event);
    let text = texts.get(event);
    if (text === undefined) texts.set(event, (text = write(event)));
    return text;
  };
}

/** Factories, because an encoder may hold the state of its stream. */
export const encoders: Readonly<Record<StreamFormat, () => Encoder>> = {
  sse: () => ({
    contentType: "text/event-stream; charset=utf-8",
    start: ":\n\n",
    heartbeatText: ":\n\n",
    patch: writeSse,
    end: ({ type, ...data }) => `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`,
  }),

  ndjson: () => ({
    contentType: "application/x-ndjson; charset=utf-8",
    start: "\n",
    heartbeatText: "\n",
    patch: writeNdjson,
    end: (end) => `${JSON.stringify(end)}\n`,
  }),

  "json-patch": () => {
    const projection = new Projection({ name: "RFC 6902", can: rfcAbilities });
    let separator = "";
    return {
      contentType: "application/json-patch+json",
      start: "[",
      heartbeatText: "\n",
      patch: ({ patch }) => {
        const operations = projection.next(patch).map((operation) => JSON.stringify(operation));
        if (operations.length === 0) return "";
        const text = separator + operations.join(",\n");
        separator = ",\n";
        return text;
      },
      end: (end) => (end.type === "done" && end.reason === "complete" ? "]\n" : undefined),
    };
  },
};
