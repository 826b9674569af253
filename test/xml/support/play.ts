import { isDeepStrictEqual } from "node:util";
import type { JsonValue } from "millrace";
import {
  addIncrements,
  XmlParseError,
  type XmlEvent,
  type XmlObject,
  type XmlRepair,
  XmlParser,
  type XmlParserOptions,
} from "millrace/xml";
import { expect } from "vitest";
import { applyPatch } from "../../json/support/apply-patch.js";

/** All results for a text that must not depend on its split. */
export interface Reading {
  readonly value: XmlObject | undefined;
  /** Joins adjacent texts. */
  readonly events: readonly XmlEvent[];
  readonly increments: readonly XmlObject[];
  readonly repairs: readonly XmlRepair[];
  readonly error: Pick<XmlParseError, "code" | "message" | "offset" | "value"> | undefined;
}

/** The results of the parser after a chunk. */
export type Look = "events" | "snapshots" | "patches" | "rarely";

/** Reads the chunks, and compares the intermediate results with each other. */
export function play(chunks: Iterable<string>, options: XmlParserOptions, look: Look): Reading {
  const events: XmlEvent[] = [];
  const increments: XmlObject[] = [];
  const repairs: XmlRepair[] = [];
  const parser = new XmlParser({
    ...options,
    onLeaf: (increment) => increments.push(increment),
    onRepair: (repair) => repairs.push(repair),
    ...(look === "events" && { onEvent: (event) => events.push(event) }),
  });
  let patched: JsonValue = null;
  const takePatch = (): void => {
    patched = applyPatch(patched, parser.takePatch());
  };
  let error: XmlParseError | undefined;
  let count = 0;
  try {
    for (const chunk of chunks) {
      parser.write(chunk);
      count++;
      if (look === "snapshots") parser.snapshot();
      if (look === "patches" || (look === "rarely" && count % 3 === 0)) {
        takePatch();
        expectSame(patched, parser.snapshot() ?? null);
      }
    }
    parser.end();
  } catch (thrown) {
    if (!(thrown instanceof XmlParseError)) throw thrown;
    error = thrown;
  }
  takePatch();
  const value = parser.snapshot();
  expectSame(patched, value ?? null);
  const few = increments.length < 500; // each addition copies
  if (few && error === undefined && parser.complete) expectSame(increments.reduce(addIncrements, {}), value);
  return {
    value,
    events: joined(events),
    increments,
    repairs,
    error: error && { code: error.code, message: error.message, offset: error.offset, value: error.value },
  };
}

/** Joins adjacent events of text, or of CDATA. */
export function joined(events: readonly XmlEvent[]): XmlEvent[] {
  const result: XmlEvent[] = [];
  for (const event of events) {
    const last = result.at(-1);
    if (
      (event.type === "text" || event.type === "cdata") &&
      last?.type === event.type &&
      last.depth === event.depth
    ) {
      result[result.length - 1] = { ...last, text: last.text + event.text };
    } else result.push(event);
  }
  return result;
}

/** Faster than `toEqual()`, because it runs after each chunk. */
function expectSame(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected);
}
