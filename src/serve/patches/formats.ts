import { patched } from "../../json/patch/apply-patch.js";
import { expandAppends } from "../../json/patch/expand-appends.js";
import type { PatchEnd, PatchEvent } from "../../json/patch/patch-entry.js";
import type { JsonValue } from "../../json/value.js";

/**
 * How a stream of patches is written:
 *
 * - `sse`: server-sent events, for `EventSource` and `fromEventStream()`
 * - `ndjson`: one event a line
 * - `json-patch`: one document of RFC 6902, all patches in one array that grows. A stream that fails or is stopped ends
 *   without its closing bracket.
 */
export type StreamFormat = "sse" | "ndjson" | "json-patch";

/** The writer of one stream. */
export interface Encoder {
  readonly contentType: string;
  /** What is sent at once, so that what stands between hands on the headers. */
  readonly start: string;
  /** What is sent in silence. Means nothing. */
  readonly heartbeat: string;
  patch(event: PatchEvent): string;
  /** `undefined`: such an end cannot be written, and the stream is cut. */
  end(end: PatchEnd): string | undefined;
}

/** Made for one stream, as the state of one stands in some of them. */
export const encoders: Readonly<Record<StreamFormat, () => Encoder>> = {
  sse: () => ({
    contentType: "text/event-stream; charset=utf-8",
    start: ":\n\n",
    heartbeat: ":\n\n",
    patch: ({ id, patch }) => `id: ${id}\ndata: ${JSON.stringify(patch)}\n\n`,
    end: ({ type, ...data }) => `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`,
  }),

  ndjson: () => ({
    contentType: "application/x-ndjson; charset=utf-8",
    start: "\n",
    heartbeat: "\n",
    patch: (event) => `${JSON.stringify(event)}\n`,
    end: (end) => `${JSON.stringify(end)}\n`,
  }),

  "json-patch": () => {
    /** `append` is none of RFC 6902, so the strings must be known that grow. */
    let value: JsonValue | undefined;
    const own = new WeakSet();
    let separator = "";
    return {
      contentType: "application/json-patch+json",
      start: "[",
      heartbeat: "\n",
      patch: ({ patch }) => {
        const operations = expandAppends(patch, value).map((operation) => JSON.stringify(operation));
        value = patched(value, patch, own);
        if (operations.length === 0) return "";
        const text = separator + operations.join(",\n");
        separator = ",\n";
        return text;
      },
      end: (end) => (end.type === "done" && end.reason === "complete" ? "]\n" : undefined),
    };
  },
};
