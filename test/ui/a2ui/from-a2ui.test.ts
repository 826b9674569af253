import { from, last, type JsonValue, type PatchLineError, pipe } from "millrace";
import { applyPatch, JsonParser } from "millrace/json";
import { everyCut } from "millrace/testing";
import { type A2uiSurfaces, fromA2ui, type FromA2uiOptions } from "millrace/ui";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { failure } from "../../parsers/support/reading.js";
import { linesOf } from "../../parsers/patch-lines/support/read-lines.js";

const catalogue = {
  components: {
    Text: z.strictObject({ text: z.string(), size: z.enum(["s", "l"]).optional() }),
    Row: z.strictObject({ children: z.array(z.string()) }),
  },
};

const message = (body: object): object => ({ version: "v0.9", ...body });
const create = message({ createSurface: { surfaceId: "s", catalogId: "c" } });
const update = (...components: object[]): object =>
  message({ updateComponents: { surfaceId: "s", components } });
const text = (id: string): object => ({ id, component: "Text", text: "Tea" });
const data = (value: unknown, path?: string): object =>
  message({ updateDataModel: { surfaceId: "s", ...(path !== undefined && { path }), value } });

interface A2uiReading {
  readonly value: A2uiSurfaces | undefined;
  /** The surface after each chunk that changed it. */
  readonly snapshots: readonly JsonValue[];
  readonly errors: readonly PatchLineError[];
  readonly repairs: readonly string[];
}

async function read(chunks: Iterable<string>, options: FromA2uiOptions = {}): Promise<A2uiReading> {
  const errors: PatchLineError[] = [];
  const repairs: string[] = [];
  const snapshots: JsonValue[] = [];
  let value: JsonValue | undefined;
  const parser = fromA2ui({
    onLineError: (error) => errors.push(error),
    onRepair: ({ kind }) => repairs.push(kind),
    ...options,
  });
  for await (const patch of pipe(from([...chunks]), parser.patches)) {
    value = applyPatch(value, patch);
    snapshots.push(value as JsonValue);
  }
  return { value: value as unknown as A2uiSurfaces | undefined, snapshots, errors, repairs };
}

const surface = { catalogId: "c", components: {}, dataModel: {} };

describe("fromA2ui() while a message is written", () => {
  test("shows a new component from its first property on, and replaces one when it is complete", async () => {
    const first = `${JSON.stringify(update({ id: "t", component: "Text", text: "Tea" }))}\n`;
    const second = `${JSON.stringify(update({ id: "t", component: "Text", text: "Coffee", size: "s" }))}\n`;
    const { snapshots } = await read([linesOf(create), ...Array.from(first + second)], { catalogue });
    const texts = snapshots.map((it) => {
      const { components } = (it as unknown as A2uiSurfaces)["s"] ?? surface;
      return (components as Record<string, JsonValue>)["t"];
    });
    const of = (text: string): object => ({ id: "t", component: "Text", text });
    expect(texts).toEqual([
      undefined,
      { id: "t", component: "Text" },
      of(""),
      of("T"),
      of("Te"),
      of("Tea"),
      { ...of("Coffee"), size: "s" },
    ]);
  });

  test("shows data as it grows, with a path or without, and keeps a list until another one is complete", async () => {
    const chunks = [
      linesOf(create),
      ...['{"version":"v0.9","updateDataModel":{"surfaceId":"s","value":{"a":["w","x x', 'y"]', "}}}\n"],
      ...['{"version":"v0.9","updateDataModel":{"surfaceId":"s","path":"/a","value":["z', 'z"', "]}}\n"],
      ...['{"version":"v0.9","updateDataModel":{"surfaceId":"s","path":"/a/0","value":"zz', 'top"', "}}\n"],
    ];
    const { snapshots } = await read(chunks);
    expect(snapshots.map((it) => (it as unknown as A2uiSurfaces)["s"]?.dataModel)).toEqual([
      {},
      { a: ["w", "x x"] },
      { a: ["w", "x xy"] },
      { a: ["zz"] },
      { a: ["zztop"] },
    ]);
  });

  test("takes data back that was shown as the whole model, if a path follows", async () => {
    const late = '{"version":"v0.9","updateDataModel":{"surfaceId":"s","value":{"x":1},"path":"/a/b"}}\n';
    for (const chunks of everyCut(late)) {
      const { value, errors } = await read([linesOf(create), ...chunks]);
      expect([value, errors]).toEqual([{ s: { ...surface, dataModel: { a: { b: { x: 1 } } } } }, []]);
    }
  });

  test("makes lists and objects around a place, and removes as a renderer does", async () => {
    const text = linesOf(
      create,
      data("x", "/list/0/name"),
      data("y", "/list/1"),
      data(undefined, "/list/1"),
      data(1, "a"),
      data(undefined, "/a"),
    );
    const { value, repairs } = await read([text]);
    expect(value).toEqual({ s: { ...surface, dataModel: { list: [{ name: "x" }, null] } } });
    expect(repairs).toEqual(["path"]);
  });

  test("lets messages wait for their surface, and data for the elements before it", async () => {
    const text = linesOf(
      update({ id: "a", component: "Any" }),
      data("b", "/list/1"),
      create,
      data("a", "/list/0"),
    );
    const { value, errors } = await read([text]);
    const components = { a: { id: "a", component: "Any" } };
    expect([value, errors]).toEqual([{ s: { ...surface, components, dataModel: { list: ["a", "b"] } } }, []]);
    const vain = await read([linesOf(create, data("b", "/list/1"))]);
    expect(vain.errors.map(({ code }) => code)).toEqual(["missing_parent"]);
  });

  test("reports a message that waited for its surface, where data before it leaves no place for it", async () => {
    const { value, errors } = await read([linesOf(data("a", "/a"), data("b", "/a/b"), create)]);
    expect([value, errors.map(({ code }) => code)]).toEqual([
      { s: { ...surface, dataModel: { a: "a" } } },
      ["misfit"],
    ]);
  });

  test("takes data back to the null that it had replaced by an object", async () => {
    const refused = data({ b: ["x", { ["__proto__"]: 1 }] }, "/a/x");
    for (const [before, dataModel] of [
      [data(null, "/"), null],
      [data({ a: null }), { a: null }],
    ] as const) {
      const { value, errors } = await read([linesOf(create, before), ...Array.from(linesOf(refused))]);
      expect([value, errors.length]).toEqual([{ s: { ...surface, dataModel } }, 1]);
    }
  });

  test("reads the messages after a refused one, also on its line", async () => {
    const wrong = { version: "v1.0", createSurface: { surfaceId: "s", components: [text("a"), text("b")] } };
    const list = [create, wrong, update({ id: "x", component: "Chart", a: [{ b: 1 }] }), update(text("c"))];
    for (const line of [JSON.stringify(list), JSON.stringify({ messages: list }), linesOf(...list)]) {
      for (const chunks of [[line], Array.from(line)]) {
        const { value, errors } = await read(chunks, { catalogue });
        expect(value).toEqual({ s: { ...surface, components: { c: text("c") } } });
        expect(errors.map(({ code }) => code)).toEqual(["misfit", "schema"]);
      }
    }
  });

  test("reads v1.0: a surface with its content, and null that removes", async () => {
    const text = linesOf(
      {
        version: "v1.0",
        createSurface: {
          surfaceId: "s",
          components: [{ id: "root", component: "Text", text: "Hi" }],
          dataModel: { a: 1, b: 2 },
        },
      },
      { version: "v1.0", updateDataModel: { surfaceId: "s", path: "/a", value: null } },
      { version: "v1.0", deleteSurface: { surfaceId: "none" } },
    );
    for (const chunks of [[text], Array.from(text)]) {
      const { value, errors } = await read(chunks, { catalogue });
      expect(value).toEqual({
        s: { components: { root: { id: "root", component: "Text", text: "Hi" } }, dataModel: { b: 2 } },
      });
      expect(errors.map(({ code }) => code)).toEqual(["misfit"]);
    }
  });
});

/** Lines that are refused, with the code, and repairs. */
const lines: readonly (readonly [
  what: string,
  line: string,
  code: string | undefined,
  ...repairs: string[],
])[] = [
  ["an unknown component", JSON.stringify(update({ id: "x", component: "Chart", text: "" })), "schema"],
  [
    "a property that the component does not have",
    JSON.stringify(update({ id: "x", component: "Text", text: "", colour: "red" })),
    "schema",
  ],
  [
    "a property of another type",
    JSON.stringify(update({ id: "x", component: "Text", text: ["a", "b"] })),
    "schema",
  ],
  ["a property that is missing", JSON.stringify(update({ id: "x", component: "Text" })), "schema"],
  ["no id", JSON.stringify(update({ component: "Text", text: "" })), "schema"],
  [
    "an unknown version",
    JSON.stringify({ ...update({ id: "x", component: "Text", text: "" }), version: "v7" }),
    "schema",
  ],
  ["a second surface of that id", JSON.stringify(create), "misfit"],
  [
    "two kinds of message",
    JSON.stringify({ ...create, deleteSurface: { surfaceId: "s" } }),
    "not_an_operation",
  ],
  ["no kind", '{"version":"v0.9"}', "not_an_operation"],
  ["an unknown kind", '{"version":"v0.9","beginRendering":{"surfaceId":"s"}}', "schema"],
  ["an unknown surface to delete", JSON.stringify(message({ deleteSurface: { surfaceId: "x" } })), "misfit"],
  [
    "a surface without catalogue",
    JSON.stringify(message({ createSurface: { surfaceId: "x" } })),
    "not_an_operation",
  ],
  [
    "__proto__ in data",
    '{"version":"v0.9","updateDataModel":{"surfaceId":"s","value":{"__proto__":1}}}',
    "forbidden_key",
  ],
  ["__proto__ in a path", JSON.stringify(data(1, "/a/__proto__/b")), "forbidden_key"],
  ["a key that a renderer refuses", JSON.stringify(data(1, "/constructor/x")), "forbidden_key"],
  ["a path through a text", JSON.stringify(data(1, "/kept/x")), "misfit"],
  [
    "a member twice",
    '{"version":"v0.9","updateDataModel":{"surfaceId":"s","surfaceId":"s","value":1}}',
    "not_an_operation",
  ],
  [
    "a wrong id for good measure",
    '{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[{"id":"x","component":"Text","text":"a","id":"y"}]}}',
    "not_an_operation",
  ],
  [
    "a message without version",
    JSON.stringify({ updateDataModel: { surfaceId: "s", path: "/kept", value: "kept" } }),
    undefined,
    "missing_version",
  ],
  [
    "a line in single quotes",
    "{'version':'v0.9','updateDataModel':{'surfaceId':'s','path':'/kept','value':'kept'}}",
    undefined,
    ...Array<string>(9).fill("quote"),
  ],
  [
    "a binding and a call",
    JSON.stringify(
      update(
        { id: "kept", component: "Text", text: { call: "f", args: { a: 1 }, returnType: "string" } },
        { id: "kept", component: "Text", text: "kept" },
      ),
    ),
    undefined,
  ],
];

describe("fromA2ui() reads lines with mistakes:", () => {
  const before = [create, data("kept", "/kept"), update({ id: "kept", component: "Text", text: "kept" })];
  test.each(lines)("%s", async (_what, line, code, ...expected) => {
    const whole = await read([linesOf(...before)], { catalogue });
    const kept = whole.value;
    expect(whole.errors).toEqual([]);
    const after = linesOf(data("next", "/next"));
    const paths = new Set<string | undefined>();
    for (const chunks of [[`${line}\n`], Array.from(`${line}\n`)]) {
      const { value, errors, repairs } = await read([linesOf(...before), ...chunks, after], { catalogue });
      expect(errors.map((error) => error.code)).toEqual(code === undefined ? [] : [code]);
      paths.add(errors[0]?.path);
      if (code === undefined) expect(repairs).toEqual(expected);
      const { s } = kept as unknown as { readonly s: { readonly dataModel: object } };
      expect(value).toEqual({ s: { ...s, dataModel: { ...s.dataModel, next: "next" } } });
    }
    expect(paths.size).toBe(1);
  });

  test("an asynchronous schema is a TypeError", async () => {
    const slow = { components: { Text: z.object({ text: z.string().refine(async () => true) }) } };
    const text = linesOf(create, update({ id: "a", component: "Text", text: "x" }));
    await expect(last(pipe(from([text]), fromA2ui({ catalogue: slow }).final))).rejects.toThrow(TypeError);
  });
});

describe("fromA2ui() bounds what a model sends:", () => {
  const next = linesOf(data("next", "/next"));
  const pieces = (text: string): string[] => text.match(/[^]{1,16384}/g) ?? [];

  test("a line of 10 MB, a path and a value of depth 10,000 are reported and taken back", async () => {
    const big = linesOf(
      data("x".repeat(10_000_000), "/big"),
      data(1, "/a".repeat(10_000)),
      data(1, "/".repeat(200_000)),
    );
    const deep = `{"version":"v0.9","updateDataModel":{"surfaceId":"s","value":${"[".repeat(10_000)}\n`;
    const { value, errors } = await read(pieces(linesOf(create) + big + deep + next), { append: true });
    expect(errors.map(({ code }) => code)).toEqual(["max_length", "max_depth", "max_depth", "max_depth"]);
    expect(value).toEqual({ s: { ...surface, dataModel: { next: "next" } } });
  });

  test("a wide member of a message is not copied for each chunk", async () => {
    const theme = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`key${i}`, i]));
    const text = JSON.stringify(message({ createSurface: { surfaceId: "s", catalogId: "c", theme } }));
    const snapshots = vi.spyOn(JsonParser.prototype, "snapshot");
    try {
      const { value, errors } = await read(`${text}\n`.split(""));
      expect({ value, errors }).toMatchObject({ value: { s: { theme } }, errors: [] });
      expect(snapshots.mock.calls.length).toBeLessThan(100);
    } finally {
      snapshots.mockRestore();
    }
  });

  test("100,000 messages are read, and one more ends the stream", async () => {
    const text = linesOf(create) + "{}\n".repeat(100_000);
    let refused = 0;
    const parser = fromA2ui({ onLineError: () => refused++ });
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0; // the traces of two errors for each message take almost half of the time
    onTestFinished(() => {
      Error.stackTraceLimit = stackTraceLimit;
    });
    const { error } = await failure(pipe(from(pieces(text)), parser.final));
    expect(refused).toBe(99_999);
    expect(error).toMatchObject({ code: "invalid", cause: { code: "max_operations" } });
  });

  test("messages that wait are bounded, and each is reported", async () => {
    const { errors } = await read([
      linesOf(create, ...Array.from({ length: 300 }, (_, i) => data(i, `/list/${i + 1}`))),
    ]);
    const codes = errors.map(({ code }) => code);
    expect(codes.filter((code) => code === "max_waiting")).toHaveLength(44);
    expect(codes.filter((code) => code === "missing_parent")).toHaveLength(256);
  });
});
