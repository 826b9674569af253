import fc from "fast-check";
import { collect, from, jsonParser, type JsonPatch, type JsonValue, pipe } from "millrace";
import { fromEventStream } from "millrace/client";
import type { AnyPatchOperation } from "millrace/json";
import { memoryLog, toEventStream } from "millrace/serve";
import { expect, test } from "vitest";

type Patch = readonly AnyPatchOperation[];

const compact = { format: "compact", flush: "patch" } as const;

/** The lines with patches and ids. */
async function linesOf(patches: readonly Patch[]): Promise<string[]> {
  const text = await toEventStream(from(patches), compact).text();
  return text.split("\n").filter((line) => line !== "" && !/^(:|event:|data:)/.test(line));
}

async function readBack(patches: readonly Patch[]): Promise<Patch[]> {
  return collect(fromEventStream(toEventStream(from(patches), compact)));
}

const start = { op: "replace", path: "", value: {} } as const;

// prettier-ignore
test.each<[string, Patch, string]>([
  ["a text extends the text before", [{ op: "append", path: "/title", value: "a" }], '"a"'],
  ["a member comes beside it", [{ op: "add", path: "/size", value: 2 }], '{"size":2}'],
  ["an element comes at the end of a list", [{ op: "add", path: "/steps", value: ["Boil"] }, { op: "add", path: "/steps/1", value: "Pour" }], '{"steps":["Boil"]},["Pour"]'],
  ["an empty list gets its first element", [{ op: "add", path: "/steps", value: [] }, { op: "add", path: "/steps/0", value: {} }], '{"steps":[]},[{}]'],
  ["a number leads upwards", [{ op: "add", path: "/a", value: { b: [1] } }, { op: "add", path: "/c", value: null }], '{"a":{"b":[1]}},2,{"c":null}'],
  ["an element elsewhere has its index", [{ op: "add", path: "/a", value: [1, 2] }, { op: "add", path: "/a/1", value: 3 }], '{"a":[1,2]},{"1":3}'],
  ["a key is not escaped as in a pointer", [{ op: "add", path: "/a~1b~0", value: "" }, { op: "append", path: "/a~1b~0", value: "x" }], '{"a/b~":""},"x"'],
  ["any other operation is whole", [{ op: "remove", path: "/title" }], '0,{"op":"remove","path":"/title"}'],
  ["an empty patch is a line, because lines are counted", [], "{}"],
])("%s", async (_, patch, line) => {
  const patches = [[{ ...start, value: { title: "Te" } }], patch];
  expect((await linesOf(patches))[1]).toBe(line);
  expect(await readBack(patches)).toEqual(patches);
});

test("a path is sent once, and then named by a number", async () => {
  const patches: JsonPatch[] = [
    [{ ...start, value: { a: "", b: "" } }],
    [{ op: "append", path: "/a", value: "1" }],
    [{ op: "append", path: "/b", value: "2" }],
    [
      { op: "append", path: "/a", value: "3" },
      { op: "append", path: "/b", value: "4" },
    ],
  ];
  expect((await linesOf(patches)).slice(1)).toEqual([
    '0,{"op":"append","path":"/a","value":"1"}',
    '0,{"op":"append","path":"/b","value":"2"}',
    '-2,"3",-3,"4"',
  ]);
  expect(await readBack(patches)).toEqual(patches);
});

test("the latest 64 paths are kept", async () => {
  const texts = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`k${i}`, ""]));
  const appends = (): JsonPatch[] =>
    Object.keys(texts).map((key) => [{ op: "append", path: `/${key}`, value: "x" }]);
  const patches = [[{ ...start, value: texts }], ...appends(), ...appends().reverse()];
  const lines = await linesOf(patches);
  const last = "x".length; // of the text of k99, at which the first line of the second half continues
  expect(lines.slice(101).filter((line) => line.startsWith("-"))).toHaveLength(64 - last);
  expect(await readBack(patches)).toEqual(patches);
});

const key = fc.constantFrom("a", "b", "0", "1", "2", "-1", "-", "__proto__", "a/b", "~", "", "1.0");
const escaped = (keys: readonly string[]): string =>
  keys.map((it) => `/${it.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
const path = fc.oneof(fc.array(key, { maxLength: 3 }).map(escaped), fc.constantFrom("a", "/a~", "/~2", "//"));
const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<JsonValue>("", "x", "\n\u2028", "\ud83d", 0, -1.5, true, null, [], {}),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(key, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
}));
const operation = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      op: fc.constantFrom("add" as const, "replace" as const, "test" as const),
      path,
      value,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant("append" as const),
      path,
      value: fc.constantFrom("", "y", "\ude00"),
    }),
  },
  fc.record({ op: fc.constant("remove" as const), path }),
  fc.record({ op: fc.constantFrom("move" as const, "copy" as const), from: path, path }),
);

test("any patches are read back as they were", async () => {
  const patches = fc.array(fc.array(operation, { maxLength: 4 }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(patches, async (some) => {
      expect(await readBack(some)).toEqual(some);
    }),
    { numRuns: 2_000 },
  );
});

test("the patches of a document are read back as they were, with each size of token", async () => {
  await fc.assert(
    fc.asyncProperty(value, fc.integer({ min: 1, max: 9 }), async (document, size) => {
      const tokens = JSON.stringify(document).match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
      const patches = await collect(pipe(from(tokens), jsonParser(undefined, { append: true }).patches));
      expect(await readBack(patches)).toEqual(patches);
    }),
    { numRuns: 500 },
  );
});

test("a value that JSON writes differently is followed by a whole operation", async () => {
  const odd = [
    new Date(0),
    { toJSON: () => "x" },
    { a: undefined },
    [() => 1],
    new (class {
      b = [1];
    })(),
  ];
  for (const it of odd) {
    const patches = [[start], [{ op: "add", path: "/o", value: it }], [{ op: "add", path: "/p", value: 1 }]];
    const [, second, third] = await linesOf(patches as never);
    expect(second).toMatch(/^\{"o":/);
    expect(third).toBe('0,{"op":"add","path":"/p","value":1}');
  }
});

test("the id is sent first, and then counted", async () => {
  const log = memoryLog({ createToken: () => "t" });
  const patches = [[start], [{ op: "add" as const, path: "/a", value: 1 }], []];
  expect(await toEventStream(from(patches), { log, id: "1", ...compact }).text()).toBe(
    ':\n\nid: 1-t\n0,{"op":"replace","path":"","value":{}}\n{"a":1}\n{}\nevent: done\ndata: {"reason":"complete"}\n\n',
  );
  const late = (lastEventId?: string): Promise<string> =>
    toEventStream(undefined, { log, id: "1", ...compact, lastEventId }).text();
  expect(await late("1-t")).toBe(
    ':\n\nid: 2-t\n0,{"op":"add","path":"/a","value":1}\n{}\nevent: done\ndata: {"reason":"complete"}\n\n',
  );
  expect(await late()).toContain('\nid: 3-t\n0,{"op":"replace","path":"","value":{"a":1}}\n');
});
