import fc from "fast-check";
import fastJsonPatch from "fast-json-patch";
import type { JsonPatch, JsonPatchOperation, JsonValue } from "millrace";
import { Allow, expandAppends, JsonParseError } from "millrace/json";
import { describe, expect, test, vi } from "vitest";
import { applyPatch } from "../../json/support/apply-patch.js";
import { jsonText, nearlyJsonText } from "../../json/support/arbitraries.js";
import { CountingText } from "../../json/support/counting-text.js";
import { chunksOf, stepsArbitrary } from "../../json/support/cuts.js";
import { deepFreeze } from "../../json/support/deep-freeze.js";
import { differences, isContainer, memberOf, places } from "../../json/support/differences.js";
import { expectShared } from "../../json/support/expect-shared.js";
import { optionsArbitrary, play, wholeScalars } from "../../json/support/play.js";
import { readPrefix } from "../../json/support/reference.js";
import { retained } from "../../json/support/retained.js";
import { runs } from "../../json/support/runs.js";
import { copyOf, expectSame } from "../../json/support/same-json.js";
import { parserOf } from "../../support/parser-of.js";

/**
 * The invariants of `JsonParser` by their numbers, for any text, split and read in any way. Texts have repeated keys
 * only if an invariant is about them.
 */

const anyText = jsonText();
const noDuplicates = jsonText({ duplicates: false });
const often = { numRuns: runs };
vi.setConfig({ testTimeout: 120_000 }); // for CI on a busy machine

// G-json-1
describe("1: each character is looked at a bounded number of times", () => {
  test("1: a character is read at most four times, for any split", () => {
    fc.assert(
      fc.property(anyText, stepsArbitrary, optionsArbitrary, (text, steps, options) => {
        const parser = parserOf(options);
        let looks = 0;
        for (const chunk of chunksOf(text, steps)) {
          const counting = new CountingText(chunk);
          parser.write(counting as unknown as string);
          looks += counting.looks;
          parser.takePatch();
        }
        parser.end();
        expectSame(parser.value, JSON.parse(text));
        // If a scanner reads characters in another way, it must be counted in another way too.
        expect(looks).toBeGreaterThanOrEqual(text.length);
        expect(looks).toBeLessThanOrEqual(4 * text.length);
      }),
      often,
    );
  });

  test("1: with append, no character and no value is in two patches, whenever patches are taken", () => {
    fc.assert(
      fc.property(noDuplicates, stepsArbitrary, (text, steps) => {
        let nodes = 0;
        let characters = 0;
        for (const { patch } of play(text, steps, { append: true })) {
          for (const { op, value } of patch ?? []) {
            for (const [, found] of places(value)) {
              if (op !== "append") nodes++;
              if (typeof found === "string") characters += found.length;
            }
          }
        }
        const all = [...places(JSON.parse(text) as JsonValue)].map(([, value]) => value);
        expect(nodes).toBe(all.length);
        expect(characters).toBe(all.filter((value) => typeof value === "string").join("").length);
      }),
      often,
    );
  });

  test("1: a snapshot copies only changed containers, and shares the rest with the previous snapshot", () => {
    fc.assert(
      fc.property(noDuplicates, stepsArbitrary, optionsArbitrary, (text, steps, options) => {
        let last: JsonValue | undefined;
        for (const { snapshot } of play(text, steps, options)) {
          if (snapshot === undefined) continue;
          expectShared(last, snapshot.value);
          last = snapshot.value;
        }
      }),
      often,
    );
  });
});

// G-json-2
describe("2: the final value is that of JSON.parse, and invalid JSON is rejected at the earliest chunk", () => {
  test("2: the value, the snapshot and the sum of the patches equal the result of JSON.parse", () => {
    fc.assert(
      fc.property(anyText, stepsArbitrary, optionsArbitrary, (text, steps, options) => {
        const expected = JSON.parse(text) as JsonValue;
        let document: JsonValue = null;
        for (const { parser, ended, patch, snapshot } of play(text, steps, options)) {
          document = applyPatch(document, patch ?? []);
          if (!ended) continue;
          expectSame(parser.value, expected, "value");
          expectSame(snapshot?.value, expected, "snapshot");
          expectSame(document, expected, "patches");
          expect(parser.complete).toBe(true);
        }
      }),
      often,
    );
  });

  // G-parsers-12
  test("2: `__proto__` is an own member, and no prototype changes", () => {
    const key = fc.constantFrom('"__proto__"', String.raw`"\u005f_proto__"`, '"constructor"', '"a"');
    const text = fc
      .array(fc.tuple(key, jsonText()), { minLength: 1, maxLength: 3 })
      .map((members) => `{${members.map((member) => member.join(":")).join(",")}}`);
    fc.assert(
      fc.property(text, stepsArbitrary, (json, steps) => {
        for (const { parser, snapshot, patch, ended } of play(json, steps, { append: true })) {
          const yielded = [
            snapshot?.value,
            ended ? parser.value : undefined,
            ...(patch ?? []).map(({ value }) => value),
          ];
          const found = yielded.flatMap((value) => [...places(value ?? null)]).map(([, value]) => value);
          expect(found.filter(isContainer).every(isPlain)).toBe(true);
        }
        expect(Object.keys(Object.prototype)).toEqual([]);
      }),
      { numRuns: Math.ceil(runs / 5) },
    );
  });

  test("2: an invalid text is rejected by the write() with its first invalid character, or by end()", () => {
    fc.assert(
      fc.property(nearlyJsonText(), stepsArbitrary, optionsArbitrary, (text, steps, options) => {
        const { wrongAt, whole } = readPrefix(text, options.allow);
        const parser = parserOf(options);
        let read = 0;
        for (const chunk of chunksOf(text, steps)) {
          const error = errorOf(() => parser.write(chunk));
          const isHere = wrongAt !== undefined && wrongAt < read + chunk.length;
          expect(error?.offset).toBe(isHere ? wrongAt : undefined);
          if (isHere) {
            expectSame(parser.snapshot(), shownBefore(text.slice(0, wrongAt), options.allow));
            return;
          }
          read += chunk.length;
        }
        const error = errorOf(() => parser.end());
        expect(error?.code).toBe(whole ? undefined : text.trim() === "" ? "empty" : "unexpected_end");
        expect(error?.offset).toBe(whole ? undefined : text.length);
        expect(parser.complete).toBe(whole);
      }),
      often,
    );
  });
});

// G-json-3
describe("3: strings are shown as they grow, never with half an escape or half a surrogate pair", () => {
  test("3: a string shows a prefix without half a surrogate pair, as long as possible", () => {
    fc.assert(
      fc.property(noDuplicates, stepsArbitrary, wholeScalars, (text, steps, options) => {
        const final = new Map(places(JSON.parse(text) as JsonValue));
        for (const { prefix, snapshot } of play(text, steps, options)) {
          if (snapshot?.value === undefined) continue;
          const certain = new Map(places(readPrefix(prefix, options.allow).shown as JsonValue));
          for (const [pointer, shown] of places(snapshot.value)) {
            if (typeof shown !== "string") continue;
            const whole = final.get(pointer) as string;
            const cut = whole.slice(shown.length - 1, shown.length + 1);
            if (!whole.startsWith(shown) || /^[\ud800-\udbff][\udc00-\udfff]$/.test(cut)) {
              expect(shown, "a start that cuts no pair").toBe(whole);
            }
            if (shown !== certain.get(pointer)) expect(shown).toBe(certain.get(pointer));
          }
        }
      }),
      often,
    );
  });
});

// G-json-4
describe("4: numbers, true, false, null and keys appear only when they are complete", () => {
  test("4: numbers, literals and keys are final when they appear", () => {
    fc.assert(
      fc.property(noDuplicates, stepsArbitrary, wholeScalars, (text, steps, options) => {
        const final = new Map(places(JSON.parse(text) as JsonValue));
        for (const { parser, prefix, snapshot, ended } of play(text, steps, options)) {
          if (snapshot?.value === undefined) continue;
          const { complete } = readPrefix(prefix, options.allow);
          const early = [...places(snapshot.value)].filter(([pointer, shown]) => {
            if (!final.has(pointer)) return true; // not a key
            if (isContainer(shown) || typeof shown === "string") return false;
            const isFinal = Object.is(shown, final.get(pointer)) && (ended || complete.has(pointer));
            return !isFinal || !parser.isComplete(pointer);
          });
          expectSame(early, []);
        }
      }),
      often,
    );
  });

  test("4: allow shows exactly its kinds before they are complete", () => {
    fc.assert(
      fc.property(anyText, stepsArbitrary, optionsArbitrary, (text, steps, options) => {
        for (const { prefix, snapshot, ended } of play(text, steps, options)) {
          if (snapshot === undefined || ended) continue;
          expectSame(snapshot.value, readPrefix(prefix, options.allow).shown, prefix);
        }
      }),
      often,
    );
  });
});

// G-json-5
describe("5: a value never changes its type, and a container only ever changes at its open end", () => {
  test("5: from one snapshot to the next, values appear and strings grow, at the open end only", () => {
    fc.assert(
      fc.property(noDuplicates, stepsArbitrary, wholeScalars, (text, steps, options) => {
        let last: JsonValue | undefined;
        for (const { snapshot } of play(text, steps, options)) {
          if (snapshot?.value === undefined) continue;
          for (const { pointer, kind, before, after } of differences(last, snapshot.value)) {
            if (kind === "changed") expect.fail(`changed at ${pointer}`);
            if (kind === "grown") expectSame([typeof before, typeof after], ["string", "string"]);
          }
          expectOpenEnd(last, snapshot.value);
          last = snapshot.value;
        }
      }),
      often,
    );
  });

  test("5: with allow, a growing number stays a number", () => {
    fc.assert(
      fc.property(noDuplicates, stepsArbitrary, (text, steps) => {
        let last: JsonValue | undefined;
        for (const { snapshot } of play(text, steps, { allow: Allow.ALL })) {
          if (snapshot?.value === undefined) continue;
          for (const { kind, before, after } of differences(last, snapshot.value)) {
            if (kind === "changed") expectSame([typeof before, typeof after], ["number", "number"]);
          }
          expectOpenEnd(last, snapshot.value);
          last = snapshot.value;
        }
      }),
      often,
    );
  });

  test("5: a repeated key replaces its member, and the last value wins", () => {
    const twice = fc
      .tuple(jsonText(), jsonText(), fc.constantFrom("a", "__proto__", "0"))
      .map(([first, second, key]) => [`{"${key}":${first},"b":1`, `,"${key}":${second}}`, key] as const);
    fc.assert(
      fc.property(twice, ([start, rest, key]) => {
        const parser = parserOf();
        parser.write(start + " ");
        const document = applyPatch(null, parser.takePatch());
        parser.write(rest);
        const patch = parser.takePatch();
        expect(patch.map(({ op, path }) => ({ op, path }))).toEqual([{ op: "replace", path: `/${key}` }]);
        expectSame(applyPatch(document, patch), JSON.parse(start + rest));
      }),
      often,
    );
  });
});

// G-json-6
describe("6: the patches, applied in order to null, equal each snapshot", () => {
  test("6: by a reference implementation, including member order, for any text, options and reads", () => {
    fc.assert(
      fc.property(anyText, stepsArbitrary, optionsArbitrary, (text, steps, options) => {
        let document: JsonValue = null;
        for (const { parser, prefix, patch, ended } of play(text, steps, options)) {
          if (patch === undefined) continue;
          document = applyPatch(document, patch);
          // Besides our snapshot, which could affect the next patch if it is requested.
          const shown = ended ? parser.snapshot() : readPrefix(prefix, options.allow).shown;
          expectSame(document, shown ?? null, prefix);
        }
      }),
      often,
    );
  });

  test("6: by fast-json-patch, with appends expanded", () => {
    fc.assert(
      fc.property(anyText, stepsArbitrary, optionsArbitrary, (text, steps, options) => {
        // fast-json-patch rejects these keys, because it would modify prototypes.
        fc.pre(!text.includes("proto"));
        let document: unknown = null;
        for (const { parser, patch } of play(text, steps, options)) {
          if (patch === undefined) continue;
          // It validates the form and the place of an operation. It also mutates patch and document.
          const operations = copyOf(expandAppends(patch, document as JsonValue));
          document = fastJsonPatch.applyPatch(document, operations, true).newDocument;
          expectSame(document, parser.snapshot() ?? null);
        }
      }),
      often,
    );
  });
});

// G-json-7
describe("7: the operations are minimal", () => {
  test("7: the first patch replaces the root; later, each difference is one operation", () => {
    fc.assert(
      fc.property(noDuplicates, stepsArbitrary, optionsArbitrary, (text, steps, options) => {
        let document: JsonValue | undefined;
        for (const { patch } of play(text, steps, options)) {
          if (patch === undefined || patch.length === 0) continue;
          const after: JsonValue = applyPatch(document ?? null, patch);
          const expected: JsonPatch =
            document === undefined
              ? [{ op: "replace", path: "", value: after }]
              : differences(document, after).map((difference): JsonPatchOperation => {
                  const { pointer: path, kind, before, after: value } = difference;
                  if (kind === "added") return { op: "add", path, value };
                  if (kind === "changed" || !options.append) return { op: "replace", path, value };
                  return { op: "append", path, value: (value as string).slice((before as string).length) };
                });
          expectSame(byPath(patch), byPath(expected));
          document = after;
        }
      }),
      often,
    );
  });

  test("7: also with repeated keys, each operation fits and has its own place", () => {
    fc.assert(
      fc.property(anyText, stepsArbitrary, optionsArbitrary, (text, steps, options) => {
        let document: JsonValue | undefined;
        for (const { patch } of play(text, steps, options)) {
          if (patch === undefined || patch.length === 0) continue;
          if (document === undefined)
            expect(patch.map(({ op, path }) => [op, path])).toEqual([["replace", ""]]);
          const there = new Map(document === undefined ? [] : places(document));
          for (const { op, path, value } of document === undefined ? [] : patch) {
            const before = there.get(path);
            expectSame(before === undefined, op === "add", `${op} ${path}`);
            if (op === "append")
              expectSame([typeof before, options.append, value === ""], ["string", true, false]);
          }
          expectApart(patch);
          document = applyPatch(document ?? null, patch);
        }
      }),
      often,
    );
  });
});

// G-json-8
describe("8: returned values are never mutated", () => {
  test("8: a parser whose returned values are frozen returns the same", () => {
    fc.assert(
      fc.property(anyText, stepsArbitrary, optionsArbitrary, (text, steps, options) => {
        const frozen = [...play(text, steps, options)].length;
        const yielded: unknown[] = [];
        const copies: unknown[] = [];
        for (const { patch, snapshot } of play(text, steps, options)) {
          yielded.push(patch, snapshot);
          copies.push(copyOf(patch), copyOf(snapshot));
        }
        expect(yielded.length).toBe(2 * frozen);
        yielded.forEach((one, i) => expectSame(one, copies[i]));

        let i = 0;
        for (const { patch, snapshot } of play(text, steps, options)) {
          expectSame(deepFreeze(patch), copies[i++]);
          expectSame(deepFreeze(snapshot), copies[i++]);
        }
      }),
      often,
    );
  });
});

// G-json-9
describe("9: memory is O(value) plus a constant, and bounded", () => {
  test("9: a parser holds the value, its open path twice, and 16 chunks, for any text and reads", () => {
    const record = {
      id: 12,
      name: "Ada Lovelace",
      tags: ["first", "of many"],
      ["a/b"]: { note: "x".repeat(80) },
    };
    const text = JSON.stringify(Array.from({ length: 300 }, (_, i) => ({ ...record, id: i })));
    const size = 7;
    for (const [takes, snapshots] of [
      [1, 1],
      [1, 0],
      [0, 1],
      [0, 0],
      [5, 3],
    ] as const) {
      for (const append of [true, false]) {
        const parser = parserOf({ append });
        for (let i = 0; i * size < text.length; i++) {
          parser.write(text.slice(i * size, (i + 1) * size));
          if (takes > 0 && i % takes === 0) parser.takePatch();
          if (snapshots > 0 && i % snapshots === 0) parser.snapshot();
          if (i % 97 !== 0) continue;
          const all = retained(parser);
          const value = retained(parser.value);
          expect(all.objects - value.objects).toBeLessThan(60);
          expect(all.characters - value.characters).toBeLessThan(16 * size + 4 * 80 + 200);
        }
      }
    }
  });

  test("9: after a container is closed, a parser releases its copies for snapshots and patches", () => {
    const text = `{"list": [${"1,".repeat(2_000)}1`;
    for (const append of [true, false]) {
      const parser = parserOf({ append });
      parser.write("{");
      parser.takePatch();
      parser.write(text.slice(1));
      for (const chunk of [", 1", ", 1", "]", "}"]) {
        parser.takePatch();
        parser.snapshot();
        parser.write(chunk);
      }
      parser.takePatch();
      expect(retained(parser).slots - retained(parser.value).slots).toBeLessThan(200);
    }
  });

  test("9: a text that nests deeper than maxDepth is rejected at the first bracket beyond it", () => {
    fc.assert(
      fc.property(anyText, stepsArbitrary, fc.integer({ min: 1, max: 5 }), (text, steps, maxDepth) => {
        const tooDeep = depths(text).findIndex((depth) => depth > maxDepth);
        const error = errorOf(() => [...play(text, steps, { maxDepth })]);
        expect(error?.code).toBe(tooDeep < 0 ? undefined : "max_depth");
        expect(error?.offset).toBe(tooDeep < 0 ? undefined : tooDeep);
      }),
      often,
    );
  });

  test("9: an object with more than maxKeys keys is rejected at the next one; a repeated key counts once", () => {
    fc.assert(
      fc.property(anyText, stepsArbitrary, fc.integer({ min: 1, max: 3 }), (text, steps, maxKeys) => {
        const tooMany = keyOffsets(text).find(({ before }) => before >= maxKeys)?.offset;
        const error = errorOf(() => [...play(text, steps, { maxKeys })]);
        expect(error?.code).toBe(tooMany === undefined ? undefined : "max_keys");
        expect(error?.offset).toBe(tooMany);
      }),
      often,
    );
  });

  test("9: a text longer than maxLength is rejected at the first character beyond it", () => {
    fc.assert(
      fc.property(anyText, stepsArbitrary, fc.integer({ min: 1, max: 60 }), (text, steps, maxLength) => {
        const error = errorOf(() => [...play(text, steps, { maxLength })]);
        expect(error?.code).toBe(text.length > maxLength ? "max_length" : undefined);
        expect(error?.offset).toBe(text.length > maxLength ? maxLength : undefined);
        if (error !== undefined) expectSame(error.value, readPrefix(text.slice(0, maxLength)).shown);
      }),
      often,
    );
  });
});

function errorOf(action: () => unknown): JsonParseError | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    if (error instanceof JsonParseError) return error;
    throw error;
  }
}

/** The value before an invalid character, which ends a number. */
function shownBefore(prefix: string, allow: number): JsonValue | undefined {
  const { shown, shortest } = readPrefix(prefix, allow);
  return /^[\]}]*$/.test(shortest) ? readPrefix(`${prefix} `, allow).shown : shown;
}

function isPlain(value: object): boolean {
  return Object.getPrototypeOf(value) === (Array.isArray(value) ? Array.prototype : Object.prototype);
}

/** Only the last child of each previous container may differ. */
function expectOpenEnd(before: JsonValue | undefined, after: JsonValue): void {
  if (!isContainer(before) || !isContainer(after)) return;
  const keys = Object.keys(before);
  const changed = keys.filter((key) => differences(memberOf(before, key), memberOf(after, key)!).length > 0);
  if (changed.length > 1) expect(changed).toHaveLength(1);
  if (changed.length === 0) return;
  const [key] = changed as [string];
  if (Array.isArray(before)) expectSame(key, String(before.length - 1));
  // JavaScript lists integer keys such as "0" first, so their order is not checked.
  else if (!keys.some((name) => /^\d+$/.test(name))) expectSame(key, keys.at(-1));
  expectOpenEnd(memberOf(before, key), memberOf(after, key)!);
}

/** Checks that no operation is about the place of another, or about a place inside it. */
function expectApart(patch: JsonPatch): void {
  const paths = patch.map(({ path }) => path);
  for (const [i, path] of paths.entries()) {
    expectSame(
      paths.filter((other, j) => i !== j && `${other}/`.startsWith(`${path}/`)),
      [],
    );
  }
}

function byPath(patch: JsonPatch): JsonPatch {
  return [...patch].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The number of open containers after each character. */
function depths(text: string): number[] {
  let depth = 0;
  const strings = text.replace(/"(?:[^"\\]|\\.)*"/g, (string) => "_".repeat(string.length));
  return Array.from(strings, (character) => {
    if ("[{".includes(character)) depth++;
    if ("]}".includes(character)) depth--;
    return depth;
  });
}

/** The offset of each key, and the number of different keys before it in its object. */
function keyOffsets(text: string): { readonly offset: number; readonly before: number }[] {
  const open: Set<string>[] = [];
  const keys: { readonly offset: number; readonly before: number }[] = [];
  for (const { 0: token, 1: colon, index } of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[[{\]}]/g)) {
    if (token === "{" || token === "[") open.push(new Set());
    else if (token === "}" || token === "]") open.pop();
    else if (colon !== undefined) {
      const object = open.at(-1) as Set<string>;
      keys.push({ offset: index, before: object.size });
      object.add(JSON.parse(token.slice(0, -colon.length)) as string);
    }
  }
  return keys;
}
