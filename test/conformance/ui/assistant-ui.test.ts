import { AssistantMessageAccumulator, AssistantTransportDecoder } from "assistant-stream";
import fc from "fast-check";
import { from, jsonParser, type JsonValue, patchLines, pipe } from "millrace";
import { type AnyPatchOperation, applyPatch } from "millrace/json";
import { everyCut, fixedSizes } from "millrace/testing";
import { type AssistantTransportOptions, toAssistantTransport } from "millrace/ui";
import { afterEach, describe, expect, test, vi } from "vitest";
import { slowRuns } from "../../json/support/runs.js";
import { linesOf } from "../../parsers/patch-lines/support/read-lines.js";

type Patch = readonly AnyPatchOperation[];
type Body = ReadableStream<Uint8Array<ArrayBuffer>>;

/** The client drops what it does not understand, with a warning. */
const warn = vi.spyOn(console, "warn");
afterEach(() => {
  expect(warn).not.toHaveBeenCalled();
});

/** The states that assistant-ui's client shows, and how the message ended. */
async function read(body: Body): Promise<{ readonly states: unknown[]; readonly status: unknown }> {
  const states: unknown[] = [];
  let status: unknown;
  const messages = body
    .pipeThrough(new AssistantTransportDecoder())
    .pipeThrough(new AssistantMessageAccumulator({ throttle: false }));
  const reader = messages.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    states.push(structuredClone((next.value.metadata as Partial<Record<string, unknown>>)["unstable_state"]));
    ({ status } = next.value);
  }
  return { states, status };
}

function bodyOf(patches: AsyncIterable<Patch>, options?: AssistantTransportOptions): Body {
  return toAssistantTransport(patches, options).body as Body;
}

function streamOf(pieces: readonly Uint8Array<ArrayBuffer>[]): Body {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
}

const text = linesOf(
  { op: "add", path: "/title", value: "Tea" },
  { op: "append", path: "/title", value: " for two" },
  { op: "add", path: "/steps", value: ["Boil", "Pour"] },
  { op: "add", path: "/steps/-", value: { say: "Wait" } },
  { op: "add", path: "/steps/0", value: "Fill" },
  { op: "replace", path: "/steps/1", value: "Heat" },
  { op: "append", path: "/steps/3/say", value: " a bit" },
  { op: "copy", from: "/steps/3", path: "/last" },
  { op: "move", from: "/steps/0", path: "/steps/2" },
  { op: "remove", path: "/steps/1" },
  { op: "remove", path: "/title" },
  { op: "add", path: "/a~1b", value: { "": "x" } },
);
const value = patchLines().parse(text);

/** With the keys of objects in order: setting a member again does not move it. */
function sorted(it: unknown): unknown {
  if (Array.isArray(it)) return it.map(sorted);
  if (typeof it !== "object" || it === null) return it;
  return Object.entries(it)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => [key, sorted(member)]);
}

/** A shorter one, for every cut. */
const short = linesOf(
  { op: "add", path: "/t", value: "Tea" },
  { op: "append", path: "/t", value: " é" },
  { op: "add", path: "/l", value: ["a", {}] },
  { op: "remove", path: "/l/0" },
);
const shortValue = patchLines().parse(short);

describe("toAssistantTransport()", () => {
  test("gives assistant-ui's client our value, with the source cut at every character", async () => {
    for (const chunks of [...everyCut(short), ...fixedSizes(short, [1, 7])]) {
      const { states, status } = await read(bodyOf(pipe(from(chunks), patchLines({ append: true }).patches)));
      expect(states.at(-1)).toEqual(shortValue);
      expect(status).toMatchObject({ type: "complete" });
    }
  });

  test("gives the client our value after each patch, with and without append", async () => {
    const pieces = text.match(/[^]{1,5}/g) ?? [];
    for (const append of [true, false]) {
      const patches: Patch[] = [];
      const expected: (JsonValue | undefined)[] = [];
      for await (const patch of pipe(from(pieces), patchLines({ append }).patches)) {
        patches.push(patch);
        expected.push(applyPatch(expected.at(-1), patch));
      }
      const { states } = await read(bodyOf(from(patches)));
      for (const each of expected) expect(states).toContainEqual(each);
      expect(states.at(-1)).toEqual(value);
    }
  });

  test("gives the client our value after any patches of several operations", async () => {
    const key = fc.constantFrom("a", "b", "list", "0", "x/y", "constructor");
    const leaf: fc.Arbitrary<JsonValue> = fc.oneof(
      fc.string({ maxLength: 3 }),
      fc.constant<JsonValue>(null),
      fc.constant<JsonValue>(["p", "q"]),
      fc.constant<JsonValue>({ a: [1] }),
    );
    const step = fc.record({ key, other: key, leaf, kind: fc.nat(9), at: fc.nat(5) });
    const begin: JsonValue = { list: ["a", { b: "c" }, "d"] };
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 14 }),
        fc.integer({ min: 1, max: 6 }),
        async (steps, size) => {
          let value: JsonValue = begin;
          const operations: AnyPatchOperation[] = [];
          for (const { key: name, other, leaf: it, kind, at } of steps) {
            const path = `/${name.replace("/", "~1")}`;
            const source = `/${other.replace("/", "~1")}`;
            const element = `/list/${at}`;
            const all: readonly AnyPatchOperation[] = [
              { op: "add", path, value: it },
              { op: "remove", path },
              { op: "move", from: source, path },
              { op: "copy", from: source, path: element },
              { op: "add", path: element, value: it },
              { op: "remove", path: element },
              { op: "move", from: element, path: `/list/${at >> 1}` },
              { op: "append", path: element, value: "+" },
              { op: "move", from: element, path },
              { op: "replace", path: "", value: { list: [it] } },
            ];
            const operation = all[kind] as AnyPatchOperation;
            try {
              value = applyPatch(value, [operation]);
              operations.push(operation);
            } catch {
              // It does not fit.
            }
          }
          const patches: AnyPatchOperation[][] = [[{ op: "replace", path: "", value: begin }]];
          for (let i = 0; i < operations.length; i += size) patches.push(operations.slice(i, i + size));
          const expected: (JsonValue | undefined)[] = [];
          for (const patch of patches) expected.push(applyPatch(expected.at(-1), patch));
          const { states, status } = await read(bodyOf(from(patches)));
          expect(status).toMatchObject({ type: "complete" });
          expect(states.at(-1)).toEqual(expected.at(-1));
          let seen = 0;
          for (const state of expected) {
            const at = states.findIndex(
              (it, i) => i >= seen && JSON.stringify(sorted(it)) === JSON.stringify(sorted(state)),
            );
            expect(at, JSON.stringify(state)).toBeGreaterThanOrEqual(seen);
            seen = at;
          }
        },
      ),
      { numRuns: slowRuns(300) },
    );
  });

  test("is read by the client at every byte", async () => {
    const response = toAssistantTransport(pipe(from([short]), patchLines({ append: true }).patches));
    const bytes = new Uint8Array(await response.arrayBuffer());
    for (const pieces of [...everyCut(bytes), ...fixedSizes(bytes, [1, 5])]) {
      const { states } = await read(streamOf(pieces));
      expect(states.at(-1)).toEqual(shortValue);
    }
  });

  test("sends each character of a growing text once", async () => {
    const pieces = JSON.stringify({ title: "é".repeat(5_000) }).match(/[^]{1,10}/g) ?? [];
    const patches = pipe(from(pieces), jsonParser(undefined, { append: true }).patches);
    expect((await toAssistantTransport(patches).text()).match(/é/g)).toHaveLength(5_000);
  });

  test("puts the value at a place of the state", async () => {
    const patches: Patch[] = [
      [{ op: "replace", path: "", value: { a: "b" } }],
      [{ op: "append", path: "/a", value: "c" }],
      [
        { op: "remove", path: "/a" },
        { op: "add", path: "/d", value: 1 },
      ],
    ];
    const { states } = await read(bodyOf(from(patches), { path: ["ui", "spec"] }));
    expect(states.at(-1)).toEqual({ ui: { spec: { d: 1 } } });
  });

  test("an error of the run ends the message, and shows nothing internal", async () => {
    async function* failing(): AsyncGenerator<Patch> {
      yield [{ op: "replace", path: "", value: { a: 1 } }];
      await Promise.reject(new Error("secret"));
    }
    const body = await toAssistantTransport(failing(), { onError: () => undefined }).text();
    expect(body).not.toContain("secret");
    expect(body.trim().endsWith("data: [DONE]")).toBe(true);
    const { states, status } = await read(
      bodyOf(failing(), { onError: () => ({ code: "x", message: "Sorry." }) }),
    );
    expect(states.at(-1)).toEqual({ a: 1 });
    expect(status).toMatchObject({ type: "incomplete", reason: "error" });
  });

  test("a key that the client refuses is an error, not a lost change", async () => {
    const bad = JSON.parse('{"a":{"__proto__":{"b":1}}}') as JsonValue;
    const patches: Patch[] = [[{ op: "replace", path: "", value: bad }]];
    const { status } = await read(bodyOf(from(patches), { onError: () => undefined }));
    expect(status).toMatchObject({ type: "incomplete", reason: "error" });
  });
});
