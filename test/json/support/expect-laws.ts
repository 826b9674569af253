import fastJsonPatch from "fast-json-patch";
import type { JsonPatch, JsonValue } from "millrace";
import { expandAppends, JsonParseError, type JsonParser, type JsonRepair } from "millrace/json";
import { expect } from "vitest";
import { applyPatch } from "./apply-patch.js";
import { chunksOf, type Step } from "./cuts.js";
import { deepFreeze } from "./deep-freeze.js";
import { places } from "./differences.js";
import { expectShared } from "./expect-shared.js";
import { copyOf, expectSame } from "./same-json.js";
import { type InWords, parserOf } from "../../support/parser-of.js";

/** The way to read a text. */
export interface Reading extends Omit<InWords, "onComplete" | "onRepair"> {
  /** Whether `end()` gets the information that the text is truncated. */
  readonly truncated: boolean;
}

/**
 * The laws for any text, valid or invalid, with any reads and splits: the invariants of `JsonParser` that need no other
 * parser, and the result of `JSON.parse()`. Returned values are frozen at once.
 */
export function expectLaws(text: string, steps: readonly Step[], reading: Reading): void {
  const once = read([text], reading);
  const pieces = read(chunksOf(text, steps), reading, steps);
  if (isVague(once, reading)) expect(pieces.error?.code).toBe(once.error?.code);
  else expectSame(pieces, once, "the cut");
  if (once.error !== undefined && !isVague(once, reading)) expectErrorInPlace(text, once.error);

  const { value, complete, log, error } = once;
  const bounded = error?.code.startsWith("max_") === true;
  const parsed = parse(text);
  if (parsed !== undefined && !bounded) {
    expect([error, complete]).toEqual([undefined, true]);
    expectSame(value, parsed.value, "JSON.parse");
    const completed = new Set(log.map((entry) => ("pointer" in entry ? entry.pointer : entry.kind)));
    for (const [pointer] of places(parsed.value))
      expect(completed.has(pointer), `${pointer} completed`).toBe(true);
    expect(log.filter((entry) => "kind" in entry)).toEqual([]);
  } else if (parsed === undefined && reading.repair !== true && reading.extract !== "auto") {
    expect(complete && error === undefined).toBe(false);
  }
}

interface Outcome {
  readonly value: JsonValue | undefined;
  readonly complete: boolean;
  /** The calls of the callbacks, in order. */
  readonly log: readonly (JsonRepair | { readonly pointer: string; readonly value: JsonValue })[];
  readonly error:
    | Pick<JsonParseError, "code" | "offset" | "line" | "column" | "pointer" | "expected" | "found">
    | undefined;
}

/** Reads the text with the reads of the steps. */
function read(
  chunks: readonly string[],
  { truncated, ...options }: Reading,
  steps: readonly Step[] = [],
): Outcome {
  const log: Outcome["log"][number][] = [];
  const parser = parserOf({
    ...options,
    onRepair: (repair) => log.push(repair),
    onComplete: (pointer, value) => log.push({ pointer, value: deepFreeze(value) }),
  });
  const watcher = new Watcher(parser);
  const looks: (readonly [prefix: string, shown: JsonValue | undefined])[] = [];
  let prefix = "";
  let error: JsonParseError | undefined;
  try {
    for (const [i, chunk] of chunks.entries()) {
      prefix += chunk;
      parser.write(chunk);
      const step = steps[i % steps.length];
      if (step === undefined) continue;
      watcher.look(step);
      if (step.snapshot) looks.push([prefix, parser.snapshot()]);
    }
    parser.end({ truncated });
  } catch (thrown) {
    if (!(thrown instanceof JsonParseError)) throw thrown;
    error = thrown;
  }
  if (error !== undefined) expectFailed(parser, error);
  for (const [before, shown] of looks) expectSame(shown, shownOf(before, options), before);
  watcher.look({ size: 0, takePatch: true, snapshot: true, value: true, snapshotFirst: false });
  watcher.finish(log.flatMap((entry) => ("pointer" in entry ? [entry.pointer] : [])));
  const value = parser.snapshot();
  expectSame(parser.value, value);
  if (parser.complete) expect(parser.isComplete("")).toBe(true);
  return { value, complete: parser.complete, log, error: error && detailsOf(error) };
}

/** Reads the results of the parser, and compares each with the earlier ones. */
class Watcher {
  private readonly parser: JsonParser;
  private readonly yielded: unknown[] = [];
  private readonly copies: unknown[] = [];
  private readonly snapshots: JsonValue[] = [];
  private document: JsonValue = null;
  /** In the types of fast-json-patch. */
  private standard: unknown = null;
  private complete: ReadonlyMap<string, JsonValue> = new Map();
  /** Places that were complete, and later were not, or had another value. */
  private readonly lost = new Set<string>();

  constructor(parser: JsonParser) {
    this.parser = parser;
  }

  look(step: Step): void {
    const { parser } = this;
    const live = step.value ? copyOf(parser.value) : undefined;
    if (step.snapshot && step.snapshotFirst) this.lookAtSnapshot();
    if (step.takePatch) this.lookAtPatch(parser.takePatch());
    if (step.snapshot && !step.snapshotFirst) this.lookAtSnapshot();
    if (step.value) expectSame(live, parser.snapshot(), "value");
  }

  /** @param completed the pointers that have completed */
  finish(completed: readonly string[]): void {
    for (const [i, one] of this.yielded.entries()) expectSame(one, this.copies[i], "handed out before");
    const snapshot = this.parser.snapshot();
    const shown = snapshot === undefined ? [] : [...places(snapshot)];
    const open = shown.map(([pointer]) => pointer).filter((pointer) => !this.parser.isComplete(pointer));
    const seen = new Set<string>();
    const twice = [...completed, ...open].filter((pointer) => seen.size === seen.add(pointer).size);
    // Only a repeated key removes a value, or replaces it by an equal one.
    for (const pointer of this.lost) {
      expect(
        twice.some((again) => `${pointer}/`.startsWith(`${again}/`)),
        `${pointer} was complete`,
      ).toBe(true);
    }
    if (twice.length === 0) this.snapshots.forEach((one, i) => expectShared(this.snapshots[i - 1], one));
  }

  private lookAtSnapshot(): void {
    const snapshot = this.keep(this.parser.snapshot());
    if (snapshot === undefined) return;
    this.snapshots.push(snapshot);
    const complete = new Map([...places(snapshot)].filter(([pointer]) => this.parser.isComplete(pointer)));
    for (const [pointer, value] of this.complete) {
      if (!Object.is(complete.get(pointer), value)) this.lost.add(pointer);
    }
    this.complete = complete;
    expect(this.parser.snapshot() === snapshot, "the same when asked again").toBe(true);
  }

  private lookAtPatch(patch: JsonPatch): void {
    this.keep(patch);
    const snapshot = this.parser.snapshot() ?? null;
    const standard = copyOf(expandAppends(patch, this.document));
    this.document = applyPatch(this.document, patch);
    expectSame(this.document, snapshot, "patches");
    // fast-json-patch rejects this key, because it would mutate prototypes.
    if (JSON.stringify([snapshot, patch]).includes("__proto__")) this.standard = copyOf(snapshot);
    else this.standard = fastJsonPatch.applyPatch(this.standard, standard, true).newDocument;
    expectSame(this.standard, snapshot, "fast-json-patch");
  }

  private keep<T>(value: T): T {
    this.copies.push(copyOf(value));
    this.yielded.push(value);
    return deepFreeze(value);
  }
}

/** The visible value depends on the text only. */
function shownOf(prefix: string, options: InWords): JsonValue | undefined {
  const parser = parserOf(options);
  parser.write(prefix);
  return parser.snapshot();
}

/** After an error the known value remains, and every call throws the same error. */
function expectFailed(parser: JsonParser, error: JsonParseError): void {
  expectSame(error.value, parser.snapshot(), "the value of the error");
  for (const call of [() => parser.write(" "), () => parser.end()]) {
    let again: unknown;
    try {
      call();
    } catch (thrown) {
      again = thrown;
    }
    expect(again === error, "the same error again").toBe(true);
  }
}

function detailsOf(error: JsonParseError): NonNullable<Outcome["error"]> {
  const { code, offset, line, column, pointer, expected, found } = error;
  // A surrogate pair that is split is reported by its first half.
  return { code, offset, line, column, pointer, expected, found: found?.slice(0, 1) };
}

/**
 * The position of a limit that is reached before or after an extracted document depends on the chunk. any-text.test.ts
 * has a separate test.
 */
function isVague({ error }: Outcome, { extract }: Reading): boolean {
  return extract === "auto" && error?.code === "max_length";
}

function expectErrorInPlace(text: string, { offset, line, column }: NonNullable<Outcome["error"]>): void {
  const lines = text.slice(0, offset).split("\n");
  expect(offset).toBeLessThanOrEqual(text.length);
  expect([line, column]).toEqual([lines.length, (lines.at(-1) as string).length + 1]);
}

function parse(text: string): { readonly value: JsonValue } | undefined {
  try {
    return { value: JSON.parse(text) as JsonValue };
  } catch {
    return undefined;
  }
}
