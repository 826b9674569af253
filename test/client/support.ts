import { from, type JsonPatch } from "millrace";
import { toEventStream } from "millrace/serve";
import { vi } from "vitest";
import { parserOf } from "../support/parser-of.js";

export const document = { title: "Tee ☕", steps: ["boil", "pour"], n: [1, [2]], __proto: null };

/** The patches of a parser after each piece of `size` characters. */
export function patchesOf(text: string, size: number): JsonPatch[] {
  const parser = parserOf({ append: true });
  const patches: JsonPatch[] = [];
  for (let at = 0; at < text.length; at += size) {
    parser.write(text.slice(at, at + size));
    patches.push(parser.takePatch());
  }
  return patches;
}

export const patches: readonly JsonPatch[] = patchesOf(JSON.stringify(document), 4);

/** A response whose reads are these pieces. Then the connection ends, or fails if `lost`. */
export function responseOf(pieces: readonly Uint8Array[], lost = false): Response {
  const queue = [...pieces];
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const piece = queue.shift();
      if (piece !== undefined) controller.enqueue(piece);
      else if (lost) controller.error(new TypeError("terminated"));
      else controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

export const bytesOf = async (some: Iterable<JsonPatch> = patches): Promise<Uint8Array> =>
  new Uint8Array(await toEventStream(from(some)).arrayBuffer());

export const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve);
  });

/** The errors that would be uncaught, until `vi.unstubAllGlobals()`. */
export function uncaughtErrors(): unknown[] {
  const errors: unknown[] = [];
  const { queueMicrotask } = globalThis;
  vi.stubGlobal("queueMicrotask", (task: () => void) => {
    queueMicrotask(() => {
      try {
        task();
      } catch (error) {
        errors.push(error);
      }
    });
  });
  return errors;
}
