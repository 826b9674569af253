import {
  collect,
  from,
  type JsonValue,
  OutputParserError,
  type PatchLineError,
  patchLines,
  pipe,
} from "millrace";
import { type AnyPatchOperation, applyPatch } from "millrace/json";
import { toAgUiActivity } from "millrace/serve";
import { fromA2ui, fromSpecStream, toA2ui, toAssistantTransport, toSpecStream } from "millrace/ui";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { blocks } from "../../support/pieces.js";

type Patch = readonly AnyPatchOperation[];

interface LinesOptions {
  readonly onLineError: (error: PatchLineError) => void;
  readonly maxOperations?: number;
}

/** What models write, for each parser: a line with a value, and the place of a value in the document. */
const parsers = {
  patchLines: {
    open: (options: LinesOptions) => patchLines({ catalogue, ...options }),
    start: "",
    line: (value: string, key = "a") => `{"op":"add","path":"/${key}","value":${value}}\n`,
    component: (type: string) =>
      `{"op":"add","path":"/elements","value":{"x":{"type":"${type}","props":{}}}}\n`,
    whole: (document: JsonValue) => document,
  },
  fromSpecStream: {
    open: (options: LinesOptions) => fromSpecStream({ catalogue, ...options }),
    start: "",
    line: (value: string, key = "a") => `{"op":"add","path":"/state/${key}","value":${value}}\n`,
    component: (type: string) => `{"op":"add","path":"/elements/x","value":{"type":"${type}","props":{}}}\n`,
    whole: (document: JsonValue) => (document as Record<string, JsonValue>)["state"],
  },
  fromA2ui: {
    open: (options: LinesOptions) => fromA2ui({ catalogue, ...options }),
    start: '{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"c"}}\n',
    line: (value: string, key = "a") =>
      `{"version":"v0.9","updateDataModel":{"surfaceId":"s","path":"/${key}","value":${value}}}\n`,
    component: (type: string) =>
      `{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[{"id":"x","component":"${type}"}]}}\n`,
    whole: (document: JsonValue) =>
      (document as Record<string, Record<string, JsonValue>>)["s"]?.["dataModel"],
  },
} as const;
const catalogue = { components: { Card: z.strictObject({}) } };

/** The errors and the last document of a text in pieces of the size of a network read. */
async function read(
  name: keyof typeof parsers,
  text: string,
  { size = 16_384, maxOperations = 100_000 } = {},
) {
  const { open, start, whole } = parsers[name];
  const errors: PatchLineError[] = [];
  const parser = open({ onLineError: (error) => errors.push(error), maxOperations });
  let value: JsonValue | undefined;
  for await (const patch of pipe(from(blocks(start + text, size)), parser.patches))
    value = applyPatch(value, patch);
  return {
    codes: errors.map(({ code }) => code),
    value: value === undefined ? undefined : whole(value),
    value0: value,
  };
}

describe.each(Object.keys(parsers) as (keyof typeof parsers)[])(
  "%s reports, takes back and reads on after",
  (name) => {
    const { line, component } = parsers[name];
    const tea = line('"Tea"', "t");

    test("a line of 10 MB", async () => {
      const { codes, value } = await read(name, line(JSON.stringify("x".repeat(10_000_000))) + tea);
      expect(codes).toEqual(["max_length"]);
      expect(value).toEqual({ t: "Tea" });
    });

    test("a path and a value of depth 10,000", async () => {
      const deep = line("1", "a/".repeat(10_000)) + line("[".repeat(10_000) + "]".repeat(10_000)) + tea;
      const { codes, value } = await read(name, deep);
      expect(codes).toEqual(["max_depth", "max_depth"]);
      expect(value).toEqual({ t: "Tea" });
    });

    test("__proto__ in a path and in a value", async () => {
      const { codes, value } = await read(
        name,
        line("1", "__proto__/x") + line('{"__proto__":{"x":1}}') + tea,
      );
      expect(codes).toEqual(["forbidden_key", "forbidden_key"]);
      expect(value).toEqual({ t: "Tea" });
      expect(({} as { x?: unknown }).x).toBeUndefined();
    });

    test("an unknown component", async () => {
      for (const size of [1, 7, 16_384]) {
        const { codes, value, value0 } = await read(name, component("Button") + tea, { size });
        expect(codes).toEqual(["schema"]);
        expect(value).toEqual({ t: "Tea" });
        expect(JSON.stringify(value0)).not.toContain("Butt");
      }
      expect((await read(name, component("Card") + tea)).codes).toEqual([]);
    });

    test("nothing more than the maximum of operations", async () => {
      const maxOperations = 1_000;
      const extra = name === "fromA2ui" ? 1 : 0; // the surface
      const text = line("1").repeat(999 - extra) + tea;
      expect((await read(name, text, { maxOperations })).value).toEqual({ a: 1, t: "Tea" });
      const error = await read(name, text + tea, { maxOperations }).catch((it: unknown) => it);
      expect(error).toBeInstanceOf(OutputParserError);
      expect(error).toMatchObject({ cause: { code: "max_operations" } });
    });
  },
);

/** For each writer, what it makes of patches, and the patches of a document where its clients have it. */
const writers = {
  toSpecStream: (patches: AsyncIterable<Patch>) => pipe(patches, toSpecStream()),
  "toA2ui with a surface": (patches: AsyncIterable<Patch>) => pipe(patches, toA2ui({ surfaceId: "s" })),
  "toA2ui of surfaces": (patches: AsyncIterable<Patch>) => pipe(patches, inSurface, toA2ui()),
  toAgUiActivity: (patches: AsyncIterable<Patch>) =>
    pipe(patches, toAgUiActivity({ messageId: "m", activityType: "a" })),
  toAssistantTransport: (patches: AsyncIterable<Patch>) => bodyParts(patches),
};

/** Moves a document into the data of a surface. */
async function* inSurface(patches: AsyncIterable<Patch>): AsyncGenerator<Patch> {
  const place = (path: string): string => `/s/dataModel${path}`;
  yield [{ op: "replace", path: "", value: { s: { components: {}, dataModel: {} } } }];
  for await (const patch of patches) {
    yield patch.map((operation) => ({
      ...operation,
      path: place(operation.path),
      ...("from" in operation && { from: place(operation.from) }),
    }));
  }
}

/** The chunks of a response, or the error of the run. */
async function* bodyParts(patches: AsyncIterable<Patch>): AsyncGenerator<string> {
  let failure: { error: unknown } | undefined;
  const onError = (error: unknown): undefined => {
    failure = { error };
    return undefined;
  };
  yield* (await toAssistantTransport(patches, { onError }).text()).split("\n\n");
  if (failure !== undefined) throw failure.error;
}

const begin: Patch = [{ op: "replace", path: "", value: {} }];
const nested = (depth: number): JsonValue => {
  let value: JsonValue = 1;
  for (let i = 0; i < depth; i++) value = { a: value };
  return value;
};

describe.each(Object.keys(writers) as (keyof typeof writers)[])("%s", (name) => {
  const write = async (...patches: readonly Patch[]): Promise<unknown[]> =>
    collect(writers[name](from([begin, ...patches])) as AsyncIterable<unknown>);

  test("refuses a path and a value of depth 10,000, and passes on those that parsers allow", async () => {
    const path = "/a".repeat(10_000);
    for (const bad of [
      { op: "add", path: "/a", value: nested(10_000) },
      { op: "add", path, value: 1 },
      { op: "copy", from: path, path: "/b" },
    ] as const) {
      await expect(write([bad])).rejects.toMatchObject({ name: "JsonPatchError", code: "refused" });
    }
    const parts = await write(
      [{ op: "add", path: "/a", value: nested(990) }],
      [{ op: "add", path: `${"/a".repeat(990)}/b`, value: nested(990) }],
    );
    expect(JSON.stringify(parts).length).toBeGreaterThan(10_000);
  });

  test("refuses a value that contains itself, and one that is endless as JSON", async () => {
    const cyclic: { self?: JsonValue } = {};
    cyclic.self = cyclic;
    let doubled: JsonValue = "Tea".repeat(1_000); // so that the bound is reached after thousands of values
    for (let i = 0; i < 40; i++) doubled = [doubled, doubled];
    for (const value of [cyclic as JsonValue, doubled]) {
      const writing = write([{ op: "add", path: "/a", value }]);
      await expect(writing).rejects.toMatchObject({ name: "JsonPatchError", code: "refused" });
    }
  });

  test("ends with a typed error for what is no patch, and for one that does not fit", async () => {
    const bad = [
      [{ op: "add" }, "malformed"],
      [[null], "malformed"],
      [[{ op: "frobnicate", path: "/a" }], "malformed"],
      [[{ op: "add", path: "a", value: 1 }], "malformed"],
      [[{ op: "add", path: "/a" }], "malformed"],
      [[{ op: "replace", path: "/x/y", value: 1 }], "misfit"],
      [[{ op: "remove", path: "/x" }], "misfit"],
    ] as const;
    for (const [patch, code] of bad) {
      if (name === "toA2ui of surfaces" && code === "malformed") continue; // it would be the test's inSurface() that fails
      await expect(write(patch as never), JSON.stringify(patch)).rejects.toMatchObject({ code });
    }
  });

  test("costs the same for each of many operations, whether they come in one patch or in many", async () => {
    const pushes = (count: number): AnyPatchOperation[] =>
      Array.from({ length: count }, (_, i) => ({ op: "add", path: "/l/-", value: i }));
    const bytes = async (...patches: readonly Patch[]): Promise<number> =>
      JSON.stringify(await write([{ op: "add", path: "/l", value: [] }], ...patches)).length;
    for (const each of [false, true]) {
      const [few, many] = await Promise.all(
        [1_000, 4_000].map((count) => bytes(...(each ? pushes(count).map((it) => [it]) : [pushes(count)]))),
      );
      expect(many! / few!).toBeLessThan(5);
    }
    const inserts = Array.from({ length: 2_000 }, (): AnyPatchOperation => ({
      op: "add",
      path: "/l/0",
      value: 0,
    }));
    expect(await bytes(inserts)).toBeLessThan(300_000);
  });

  test("passes a string of 10 MB on once", async () => {
    const text = "x".repeat(10_000_000);
    const parts = await write([{ op: "add", path: "/a", value: text }]);
    const length = parts.reduce<number>((sum, part) => sum + JSON.stringify(part).length, 0);
    expect(length).toBeLessThan(10_001_000);
  });
});

test("toA2ui() writes many surfaces in linear time", async () => {
  const patches = Array.from({ length: 30_000 }, (_, i): Patch => [
    { op: "add", path: `/s${i}`, value: { catalogId: "c", components: {}, dataModel: {} } },
  ]);
  const whole: Patch = [{ op: "replace", path: "", value: {} }];
  const messages = await collect(pipe(from([whole, ...patches]), toA2ui())); // took minutes
  expect(messages).toHaveLength(patches.length);
});
