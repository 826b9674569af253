import type { PatchEnd, PatchEvent } from "../../json/patch/patch-entry.js";
import type { AnyPatchOperation } from "../../json/patch/patch.js";
import { Projection, rfcAbilities } from "../../json/patch/project.js";
import { madeOnce } from "../../tree/made-once.js";
import { eventFormat, type TextFormat } from "../http/text-response.js";
import { compactLines } from "./compact.js";
import { type AnyPatch, joinPatches } from "./join-patches.js";

/**
 * The format of a stream of patches:
 *
 * - `compact`: the same with patches in lines about as long as the text of the model, for `useObject()`, `useThread()` and
 *   `fromEventStream()`
 * - `sse`: server-sent events, for `EventSource` and `fromEventStream()`
 * - `ndjson`: one event per line
 * - `json-patch`: one RFC 6902 document, a growing array of all operations. A stream that fails or is stopped ends
 *   without the closing bracket.
 */
export type StreamFormat = "compact" | "sse" | "ndjson" | "json-patch";

/** The format for a request with this `Accept` header. */
export function formatFor(accept: string | null | undefined): StreamFormat {
  return /;\s*compact=1\b/.test(accept ?? "") ? "compact" : "sse";
}

/** Encodes one stream. */
export interface Encoder extends Pick<TextFormat, "contentType" | "heartbeatText" | "start"> {
  patch(event: PatchEvent): string;
  /** Returns `undefined` if the format cannot express this end: the stream is then cut. */
  end(end: PatchEnd): string | undefined;
}

const serverSentEvents = {
  ...eventFormat,
  end: ({ type, ...data }: PatchEnd) => `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`,
};

const writeSse = writtenOnce(
  ({ id, patch }: PatchEvent) => `id: ${id}\ndata: ${JSON.stringify(patch)}\n\n`,
  firstOf,
);
const writeNdjson = writtenOnce((event: PatchEvent) => `${JSON.stringify(event)}\n`, firstOf);
const writeWhole = writtenOnce(
  (operation: AnyPatchOperation) => JSON.stringify(operation),
  (operation) => operation,
);

function firstOf({ patch }: PatchEvent): AnyPatchOperation | undefined {
  return patch[0];
}

/** Writes the whole value at a moment once for all readers that get the same one from a log. */
function writtenOnce<T extends object>(
  write: (it: T) => string,
  first: (it: T) => AnyPatchOperation | undefined,
): (it: T) => string {
  const writeOnce = madeOnce(write);
  return (it) => {
    const operation = first(it);
    return operation?.path === "" && operation.op === "replace" ? writeOnce(it) : write(it);
  };
}

/** Factories, because an encoder may hold the state of its stream. */
export const encoders: Readonly<Record<StreamFormat, () => Encoder>> = {
  sse: () => ({ ...serverSentEvents, patch: writeSse }),

  compact: () => {
    const lineOf = compactLines(writeWhole);
    /** The id that the client expects: a number, and what the log adds to it. */
    let number = 1;
    let rest = "";
    return {
      ...serverSentEvents,
      patch: ({ id, patch }) => {
        const isExpected = id === `${number}${rest}`;
        if (!isExpected) {
          number = Number.parseInt(id);
          rest = id.replace(/^\d+/, "");
        }
        number++;
        return `${isExpected ? "" : `id: ${id}\n`}${lineOf(patch)}\n`;
      },
    };
  },

  ndjson: () => ({
    contentType: "application/x-ndjson; charset=utf-8",
    heartbeatText: "\n",
    patch: writeNdjson,
    end: (end) => `${JSON.stringify(end)}\n`,
  }),

  "json-patch": () => {
    const projection = new Projection({ name: "RFC 6902", can: rfcAbilities });
    let separator = "";
    /** The text that a string has grown by. The next patch sends it, because each `replace` has the whole string. */
    let growing: AnyPatch = [];
    const write = (patch: AnyPatch): string => {
      const operations = projection.next(patch).map((operation) => JSON.stringify(operation));
      if (operations.length === 0) return "";
      const text = separator + operations.join(",\n");
      separator = ",\n";
      return text;
    };
    return {
      contentType: "application/json-patch+json",
      start: "[",
      heartbeatText: "\n",
      patch: ({ patch }) => {
        const joined = joinPatches(growing, patch);
        growing = joined.at(-1)?.op === "append" ? joined.slice(-1) : [];
        return write(joined.slice(0, joined.length - growing.length));
      },
      end: (end) => (end.type === "done" && end.reason === "complete" ? `${write(growing)}]\n` : undefined),
    };
  },
};
