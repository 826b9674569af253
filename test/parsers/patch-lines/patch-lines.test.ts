import { collect, from, patchLines, type PatchLinesOptions, pipe } from "millrace";
import { everyCut, fixedSizes } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { failure } from "../support/reading.js";
import { charactersOf, linesOf, readLines } from "./support/read-lines.js";

interface Transcript {
  readonly title: string;
  readonly text: string;
  readonly options?: PatchLinesOptions;
  readonly value: unknown;
  /** The codes of the operations that are not applied. */
  readonly errors?: readonly string[];
  readonly repairs?: readonly string[];
}

/** Each cut in two (of a longer text, every third), and pieces of small sizes. */
function* cuts(text: string): Generator<readonly string[]> {
  const step = text.length > 150 ? 3 : 1;
  let at = 0;
  for (const pieces of everyCut(text)) if (at++ % step === 0) yield pieces;
  yield* fixedSizes(text, [1, 2, 3, 5, 8, 13]);
}

const tea = '{"op":"add","path":"/t","value":"Tea"}';

const transcripts: readonly Transcript[] = [
  {
    title: "all operations of RFC 6902 and append are applied",
    text: linesOf(
      { op: "add", path: "/a", value: ["x", { b: 1 }] },
      { op: "replace", path: "/a/0", value: null },
      { op: "copy", from: "/a/1", path: "/c" },
      { op: "move", from: "/c", path: "/d~1e" },
      { op: "remove", path: "/a/1/b" },
      { op: "test", path: "/d~1e/b", value: 1 },
      { op: "add", path: "/a/-", value: "lo" },
      { op: "append", path: "/a/2", value: "ng" },
    ),
    value: { a: [null, {}, "long"], "d/e": { b: 1 } },
  },
  {
    title: "the value of an operation that needs none is not applied",
    text: linesOf(
      { op: "remove", path: "/a/0", value: "x" },
      { op: "move", from: "/a/0", path: "/b", value: [1] },
    ),
    options: { initial: { a: [1, 2] } },
    value: { a: [], b: 2 },
  },
  {
    title: "the keys after the value of an operation are counted, however the value is guarded",
    text: `${tea}\n{"op":"add","path":"/b","value":{"c":1},"d":1}`,
    options: {
      maxKeys: 3,
      schema: { properties: { t: { type: "string" }, b: { properties: { c: { type: "integer" } } } } },
    },
    value: { t: "Tea" },
    errors: ["invalid"],
  },
  {
    title: "prose, fences and thoughts around the lines are skipped",
    text: `<think>${tea}</think>Sure {ok}:\n\`\`\`jsonl\n${tea}\n\`\`\`\nIt has "quotes".\n- ${tea.replaceAll("t", "u")}`,
    value: { t: "Tea" },
    errors: ["not_an_operation"],
  },
  {
    title: "an operation is found after prose on its line, in a list and in an array",
    text: `First: ${tea.replace("/t", "/a")}.\n1. ${tea.replace("/t", "/b")}\n[${tea.replace("/t", "/c")}, ${tea}]`,
    value: { a: "Tea", b: "Tea", c: "Tea", t: "Tea" },
  },
  {
    title: "an operation follows one on its line that is refused before its end",
    text: `[{"op":"nope","path":"/x","value":[{"value":"}]\\"{"},{"op":"add","path":"/in","value":1}]},${tea},{"path":"/__proto__","op":"add","value":{}}, ${tea.replace("/t", "/u")}] {"path":"/__proto__"} ${tea.replace("/t", "/v")}\n`,
    value: { t: "Tea", u: "Tea", v: "Tea" },
    errors: ["not_an_operation", "forbidden_key", "not_an_operation"],
  },
  {
    title: "the rest of a line is a part of an operation that is refused after its last bracket",
    text: `{"o"}":"path":"\n{"o"} ${tea}${tea}\n${tea}`,
    value: { t: "Tea" },
    errors: ["invalid", "invalid"],
  },
  {
    title: "an object after the number of a list is read as an operation",
    text: `1. ${tea}\n2. {"a":1}\n12) {'b':1}`,
    value: { t: "Tea" },
    errors: ["not_an_operation", "not_an_operation"],
    repairs: ["quote"],
  },
  {
    title: "a copy or a move may replace the document first",
    text: '{"op":"move","from":"/l","path":""}',
    options: { initial: { l: [1] } },
    value: [1],
  },
  {
    title: "a text may be the document that grows",
    text: '{"op":"append","path":"","value":" time"}',
    options: { initial: "Tea", append: true },
    value: "Tea time",
  },
  {
    title: "an operation may be written over several lines",
    text: '{\n  "op": "add",\r\n  "path": "/a",\n  "value": [\n    1,\n    true,\n    {"b": "c"}\n  ]\n}\n',
    value: { a: [1, true, { b: "c" }] },
  },
  {
    title: "the members may come in any order",
    text: '{"value":{"x":"y"},"path":"/a","op":"add"}{"path":"/b","value":[],"op":"add"}{"from":"/a","path":"/b/0","op":"move"}',
    value: { b: [{ x: "y" }] },
  },
  {
    title: "an operation waits for its parent, and others for it",
    text: linesOf(
      { op: "append", path: "/a/b/c", value: "ea" },
      { op: "add", path: "/a/b/c", value: "T" },
      { op: "add", path: "/a/l/1", value: 2 },
      { op: "add", path: "/a/l/0", value: 1 },
      { op: "copy", from: "/a/b", path: "/d" },
      { op: "add", path: "/a", value: { l: [] } },
      { op: "add", path: "/a/b", value: {} },
    ),
    value: { a: { b: { c: "Tea" }, l: [1, 2] }, d: { c: "Tea" } },
  },
  {
    title: "a move counts the elements of its list without the one that it moves",
    text: linesOf(
      { op: "add", path: "/l", value: ["a", "b", {}, "c"] },
      { op: "move", from: "/l/0", path: "/l/1/x" },
      { op: "move", from: "/l/0", path: "/l/-" },
      { op: "move", from: "/l/0", path: "/l/2" },
      { op: "move", from: "/l/2", path: "/l/0" },
      { op: "move", from: "/l/0", path: "/l/1" },
      { op: "move", from: "/l/1", path: "/l/3" }, // it waits for the next one
      { op: "add", path: "/l/-", value: "d" },
    ),
    value: { l: ["c", "b", "d", { x: "a" }] },
  },
  {
    title: "an operation waits for the place that the schema names, if its path is written differently",
    text: linesOf({ op: "add", path: "/Tea_Pot/size", value: 1 }, { op: "add", path: "/teaPot", value: {} }),
    options: {
      schema: { type: "object", properties: { teaPot: { type: "object" } }, additionalProperties: false },
    },
    value: { teaPot: { size: 1 } },
    repairs: ["path", "path"],
  },
  {
    title: "an operation waits for the place around an object that is made for it",
    text: linesOf({ op: "add", path: "/a/b/c", value: 1 }, { op: "add", path: "/a", value: {} }),
    options: { create: ["/a/b"] },
    value: { a: { b: { c: 1 } } },
  },
  {
    title: "operations that wait for elements of a list are applied when an object replaces it",
    text: linesOf(
      { op: "add", path: "/l", value: ["a"] },
      { op: "add", path: "/l/5", value: "b" },
      { op: "move", from: "/l/0", path: "/l/3/x" },
      { op: "add", path: "/l", value: { 0: "c", 3: {} } },
    ),
    value: { l: { 3: { x: "c" }, 5: "b" } },
  },
  {
    title: "an operation whose parent never comes is reported at the end",
    text: linesOf({ op: "add", path: "/a/b", value: 1 }, { op: "add", path: "/c", value: 1 }),
    value: { c: 1 },
    errors: ["missing_parent"],
  },
  {
    title: "a mistake in the JSON of a line is repaired and reported",
    text: `{'op': 'add', path: "/a", "value": [1, 2,]}\n{"op": "add" "path": "/b", "value": True}\n`,
    value: { a: [1, 2], b: true },
    repairs: ["quote", "quote", "unquoted_key", "trailing_comma", "missing_comma", "literal"].sort(),
  },
  {
    title: "a raw line feed in a string is part of it",
    text: '{"op":"add","path":"/a","value":"one\ntwo"}\n',
    value: { a: "one\ntwo" },
    repairs: ["control_character"],
  },
  {
    title: "a line without its last brackets ends before prose, a fence and the next operation",
    text: `{"op":"add","path":"/a","value":{"b":[1\nNow:\n{"op":"add","path":"/c","value":true\n\`\`\`\n${tea}`,
    value: { a: { b: [1] }, c: true, t: "Tea" },
    repairs: ["missing_closer", "missing_closer"],
  },
  {
    title: "a line without its opening brace is an operation",
    text: `"op":"add","path":"/a","value":1}\n${tea}`,
    value: { a: 1, t: "Tea" },
    repairs: ["missing_brace"],
  },
  {
    title: "so is one in single quotes",
    text: `'op':'add','path':'/a','value':1}\n${tea}`,
    value: { a: 1, t: "Tea" },
    repairs: ["missing_brace", ...Array<string>(5).fill("quote")],
  },
  {
    title: "a line after one without its last bracket is a line of its own, whatever its first member is",
    text: `{"op":"add","path":"/a","value":{"b":[]}\n{]op":"add","path":"/c","value":1}\n${tea}`,
    value: { a: { b: [] }, t: "Tea" },
    repairs: ["missing_closer", "wrong_closer"],
    errors: ["invalid"],
  },
  {
    title: "a line after one without its last quote is a line of its own, in any quotes",
    text: `${tea.replace('"}', "}")}\n{op:"add","path":"/a","value":1}\n{"op":"add","path":"/b","value":"b\n${tea.replaceAll('"', "'")}`,
    value: { a: 1, t: "Tea" },
    repairs: ["missing_quote", ...Array<string>(6).fill("quote"), "unquoted_key"],
    errors: ["invalid"],
  },
  {
    title: "a line inside one that is refused is reported too",
    text: `{"op":"add","path":"/a","value":"Tea}\n{]op":"add","path":"/c","value":1}\n${tea}`,
    value: { t: "Tea" },
    errors: ["not_an_operation", "invalid"],
    repairs: ["control_character", "inner_quote", "inner_quote"],
  },
  {
    title: "an operation on a line of the value of another one is a part of it",
    text: `{"op":"add","path":"/a","value":[\n  {"op":"x"},\n  {"op":"y"}\n]}\n${tea}`,
    value: { a: [{ op: "x" }, { op: "y" }], t: "Tea" },
  },
  {
    title: "so it is if that one is refused",
    text: `{"op":"put","value":[\n  {"op":"add","path":"/x","value":1},\n  {"op":"remove","path":"/t"}\n],\n"k": ${tea.replace("/t", "/u")}\n}\n${tea}\n{"op":"put","value":{"a":\n{]op":"x"}\n}}`,
    value: { t: "Tea" },
    errors: ["not_an_operation", "not_an_operation", "invalid"],
  },
  {
    title: "a line that is cut before its value is reported, where truncated documents are kept",
    options: { onTruncated: "keep" },
    text: `${tea}\n{"op":"add","path":"/a`,
    value: { t: "Tea" },
    errors: ["invalid"],
  },
  {
    title: "a line that was cut inside a string is taken back and reported",
    text: `${tea}\n{"op":"replace","path":"/t","value":"Coffee, bl\n{"op":"add","path":"/u","value":1}`,
    value: { t: "Tea", u: 1 },
    errors: ["invalid"],
  },
  {
    title: "what is no operation is reported",
    text: `${tea}\n{"op":"put","path":"/a","value":1}\n{"path":"/a","value":1}\n{"op":"add","value":1}\n{"op":"add","path":"a","value":1}\n{"op":"add","path":"/a"}\n{"op":"add","path":["a"],"value":1}\n{"op":"add","path":"/a","value":1,"value":2}\n{"a":1}`,
    value: { t: "Tea" },
    errors: new Array<string>(8).fill("not_an_operation"),
  },
  {
    title: "what does not fit the document is reported",
    text: `${tea}\n${linesOf(
      { op: "remove", path: "/u" },
      { op: "test", path: "/t", value: "tea" },
      { op: "add", path: "/t/x", value: 1 },
      { op: "append", path: "/t", value: 1 },
      { op: "move", from: "", path: "/x" },
    )}`,
    value: { t: "Tea" },
    errors: ["misfit", "test_failed", "misfit", "misfit", "misfit"],
  },
  {
    title: "a key that is no index of an array is reported",
    text: linesOf(
      { op: "add", path: "/a", value: ["Tea"] },
      { op: "add", path: "/a/first", value: 1 },
      { op: "add", path: "/a/01", value: 1 },
      { op: "replace", path: "/a/x", value: 1 },
      { op: "add", path: "/b", value: 1 },
    ),
    value: { a: ["Tea"], b: 1 },
    errors: ["misfit", "misfit", "misfit"],
  },
  {
    title: "an append of no string is refused before its value is read",
    text: `${tea}\n{"op":"append","path":"/t","value":{"a":\n{"b":1}, "c" "d"}}\n{"op":"append","path":"/t","value":["x" "y"]}\n`,
    value: { t: "Tea" },
    errors: ["misfit", "not_an_operation", "misfit"],
  },
  {
    title: "a replace of a missing member is an add",
    text: linesOf({ op: "replace", path: "/a", value: "b" }),
    value: { a: "b" },
    repairs: ["missing_target"],
  },
  {
    title: "without repair, it is reported",
    options: { repair: false },
    text: `${linesOf({ op: "replace", path: "/a", value: "b" })}${tea}\n{"op":"add","path":"/a","value":[1,]}\n"op":"add","path":"/a","value":1}`,
    value: { t: "Tea" },
    errors: ["misfit", "invalid", "invalid"],
  },
  {
    title: "the root may be replaced, and is then the first patch",
    text: linesOf({ op: "replace", path: "", value: [1] }, { op: "add", path: "/-", value: "x" }),
    value: [1, "x"],
  },
  {
    title: "__proto__ is refused, in paths and in values",
    text: `${tea}\n{"op":"add","path":"/a","value":{"b":{"__proto__":{"c":1}}}}\n{"op":"add","path":"/__proto__/c","value":1}\n{"op":"move","from":"/__proto__","path":"/t"}`,
    value: { t: "Tea" },
    errors: ["forbidden_key", "forbidden_key", "forbidden_key"],
  },
  {
    title: "objects that may be made are made",
    options: { create: ["/elements"], initial: { root: "a" } },
    text: linesOf({ op: "add", path: "/elements/a", value: {} }, { op: "add", path: "/state/b", value: 1 }),
    value: { root: "a", elements: { a: {} } },
    errors: ["missing_parent"],
  },
];

describe("patchLines()", () => {
  test.each(transcripts)(
    "$title, however the text is cut",
    async ({ text, options, value, errors = [], repairs = [] }) => {
      const expected = { value, errors, repairs };
      for (const chunks of cuts(text)) {
        for (const append of [true, false]) {
          const read = await readLines(chunks, { append, ...options });
          expect(read.failure).toBeUndefined();
          expect({
            value: read.value,
            errors: read.errors.map(({ code }) => code),
            repairs: read.repairs.map(({ kind }) => kind).sort(),
          }).toEqual(expected);
        }
        if (chunks.length > 60) continue;
        const last = (
          await collect(pipe(from(chunks), patchLines({ onLineError: () => {}, ...options }).snapshots))
        ).at(-1);
        expect(last).toEqual(value);
      }
    },
  );

  test("errors and repairs have the same places, however the text is cut", async () => {
    const text = `Prose\n{"op":"add","path":"/a","value":[1,]}\n{"op":"nope"}\n${tea}\n {"op":"remove","path":"/x"}`;
    const starts = [text.indexOf('{"op":"nope'), text.indexOf('{"op":"remove')];
    for (const chunks of cuts(text)) {
      const { errors, repairs } = await readLines(chunks);
      expect(repairs).toEqual([{ kind: "trailing_comma", offset: text.indexOf(",]") + 1 }]);
      expect(errors.map(({ offset, operation, path }) => [offset, operation, path])).toEqual([
        [starts[0], 2, undefined],
        [starts[1], 4, "/x"],
      ]);
    }
  });

  test("a value is shown from its first character on, and growing tells that more may follow", async () => {
    const { events } = await readLines(charactersOf('{"op":"add","path":"/a","value":{"b":"xy"}}\n'), {
      append: true,
    });
    expect(events).toEqual([
      {
        growing: true,
        patch: [
          { op: "replace", path: "", value: {} },
          { op: "add", path: "/a", value: {} },
        ],
      },
      { growing: true, patch: [{ op: "add", path: "/a/b", value: "" }] },
      { growing: true, patch: [{ op: "append", path: "/a/b", value: "x" }] },
      { growing: true, patch: [{ op: "append", path: "/a/b", value: "y" }] },
      { growing: false, patch: [] },
    ]);
  });

  test("with growing: false, a value is shown when its line is complete", async () => {
    const { events } = await readLines(charactersOf('{"op":"add","path":"/a","value":{"b":"xy"}}\n'), {
      growing: false,
    });
    expect(events.map(({ patch, growing }) => [growing, patch.at(-1)])).toEqual([
      [false, { op: "add", path: "/a", value: { b: "xy" } }],
    ]);
  });

  test("a string that is written again and continued only grows", async () => {
    const text = linesOf(
      { op: "add", path: "/a", value: "Tea" },
      { op: "replace", path: "/a", value: "Tea time" },
      { op: "replace", path: "/a", value: "Tea for two" },
      { op: "replace", path: "/a", value: "Tea" },
    );
    const snapshots = await collect(pipe(from(charactersOf(text)), patchLines().snapshots));
    expect(snapshots.map((it) => (it as { a: string }).a)).toEqual([
      ...["", "T", "Te", "Tea", "Tea t", "Tea ti", "Tea tim", "Tea time"],
      ...["Tea f", "Tea fo", "Tea for", "Tea for t", "Tea for tw", "Tea for two", "Tea"],
    ]);
  });

  test("what a refused operation has shown is taken back by a patch", async () => {
    const initial = { list: ["a", "b"], text: "x", object: { y: 1 } };
    const places = ["/list/1", "/list/0", "/text", "/object", "/new", ""].flatMap((path) => [
      { op: "add", path },
      { op: "replace", path },
    ]);
    for (const { op, path } of [...places, { op: "add", path: "/list/-" }]) {
      const text = `{"op":"${op}","path":"${path}","value":{"z":["long", {"__proto__":1}]}}`;
      const { events, value, errors } = await readLines(charactersOf(text), { initial });
      expect([op, path, value]).toEqual([op, path, initial]);
      expect(errors).toHaveLength(1);
      expect(events.filter(({ growing }) => growing).length).toBeGreaterThan(2);
    }
  });

  test("snapshots are immutable and share what did not change", async () => {
    const text = linesOf(
      { op: "add", path: "/a", value: { x: 1 } },
      { op: "add", path: "/b", value: ["t"] },
      { op: "append", path: "/b/0", value: "u" },
    );
    const snapshots = (await collect(pipe(from(charactersOf(text)), patchLines().snapshots))) as {
      a?: object;
    }[];
    expect(snapshots.at(-1)?.a).toBe(snapshots.at(-4)?.a);
    const texts = snapshots.map((it) => JSON.stringify(it));
    expect(new Set(texts).size).toBe(texts.length);
  });

  test("without onLineError, the stream ends with the errors after the last operation", async () => {
    const bad = linesOf({ op: "remove", path: "/x" });
    const { before, error } = await failure(pipe(from([bad + tea]), patchLines().patches));
    expect(before).toHaveLength(1);
    expect(error).toMatchObject({
      code: "invalid",
      value: { t: "Tea" },
      cause: { code: "misfit", offset: 0 },
    });
    const several = await failure(pipe(from([bad + bad + tea]), patchLines().final));
    expect(several.error).toMatchObject({
      code: "several",
      errors: [{ code: "invalid" }, { code: "invalid" }],
    });
    expect(() => patchLines().parse(bad + tea)).toThrow(error.message);
  });

  test("a text without operations, and one that was cut, end with an error", async () => {
    const none = await failure(pipe(from(["No patches today."]), patchLines().final));
    expect(none.error).toMatchObject({ code: "truncated" });
    expect(none.error).not.toHaveProperty("value");
    const cut = await failure(
      pipe(from([`${tea}\n{"op":"add","path":"/u","value":"T`]), patchLines().snapshots),
    );
    expect(cut.before.at(-1)).toEqual({ t: "Tea", u: "T" });
    expect(cut.error).toMatchObject({ code: "truncated", value: { t: "Tea", u: "T" } });
    const thinking = await failure(pipe(from(["<think>Hm"]), patchLines().final));
    expect(thinking.error).toMatchObject({ code: "truncated", cause: { code: "unclosed_thinking" } });
  });

  test("skips operations in thinking, and reads a tag in the text of an operation", async () => {
    const add = (path: string, value: string): string => JSON.stringify({ op: "add", path, value });
    const text = `Sure.\n<reasoning>\n${add("/d", "x")}\n</reasoning>\n${add("/a", "1")}\n[THINK]${add("/d", "y")}[/THINK]\n{"op": "add", "path": "/b", "value": "2\n<think>3"}\n`;
    for (const chunks of [[text], ...everyCut(text)]) {
      const values = await collect(pipe(from(chunks), patchLines().snapshots));
      expect(values.at(-1)).toEqual({ a: "1", b: "2\n<think>3" });
    }
  });

  test("a text whose only operation is refused has no document, however it is cut", async () => {
    for (const chunks of cuts('"op":"add","path":"/s","value":,x}')) {
      const { error } = await failure(pipe(from(chunks), patchLines({ onLineError: () => {} }).final));
      expect(error).toMatchObject({ code: "invalid", cause: { code: "invalid", offset: 0 } });
      expect(error).not.toHaveProperty("value");
    }
  });

  test("a model at its token limit is an error, unless truncated documents are kept", async () => {
    const chunks = [
      { content: [{ type: "text" as const, index: 0, text: `${tea}\n{"op":"add","path":"/u","value":["T` }] },
      { content: [], finishReason: "length" as const },
    ];
    const { error } = await failure(pipe(from(chunks), patchLines().final));
    expect(error).toMatchObject({ code: "truncated", finishReason: "length", value: { t: "Tea", u: ["T"] } });
    const kept = await collect(pipe(from(chunks), patchLines({ onTruncated: "keep" }).final));
    expect(kept).toEqual([{ t: "Tea", u: ["T"] }]);
  });

  test("parse() reads a whole output", () => {
    expect(patchLines().parse(tea)).toEqual({ t: "Tea" });
  });

  test.each([
    ["at its token limit", "", "length"],
    ["inside an operation", '{"op":"add","path":"/u","va', undefined],
  ] as const)("an output that is cut %s says what was refused", async (_, end, finishReason) => {
    const bad = '{"op":"remove","path":"/none"}\n{"op":"nope","path":"/x"}\n';
    const chunks = [
      { content: [{ type: "text", text: bad + end } as const] },
      { content: [], ...(finishReason && { finishReason }) },
    ];
    const { error } = await failure(pipe(from(chunks), patchLines().final));
    const causes = [{ cause: { code: "misfit", path: "/none" } }, { cause: { code: "not_an_operation" } }];
    expect(error).toMatchObject({ code: "truncated", errors: causes });
    expect((error as Error).message).toContain("2 operations were not applied");
    const heard: string[] = [];
    const onLineError = (one: Error): void => void heard.push(one.message);
    const other = await failure(pipe(from(chunks), patchLines({ onLineError }).final));
    expect(other.error).toMatchObject({ code: "truncated" });
    expect((other.error as Error).message).not.toContain("operations were not applied");
    expect(heard).toHaveLength(2);
  });

  test("an output whose operations are all refused is not a truncated one", async () => {
    const options = { onLineError: () => {} };
    const bad = '{"op":"nope","path":"/x"}\n';
    const one = await failure(pipe(from([bad]), patchLines(options).final));
    expect(one.error).toMatchObject({ code: "invalid", cause: { code: "not_an_operation" } });
    const two = await failure(pipe(from([bad + bad]), patchLines(options).final));
    expect(two.error).toMatchObject({ code: "several", errors: [{ code: "invalid" }, { code: "invalid" }] });
  });

  test("parse() keeps as much of a truncated output as .final", async () => {
    const options = { onTruncated: "keep" } as const;
    const text = `${tea}\n{"op":"append","path":"/t","value":" ti`;
    expect(await collect(pipe(from([text]), patchLines(options).final))).toEqual([{ t: "Tea ti" }]);
    expect(patchLines(options).parse(text)).toEqual({ t: "Tea ti" });
  });

  test("the document of an error about a bound does not depend on the pieces", async () => {
    const text = '{"op":"add","path":"/a","value":{b}}\n{}\n';
    const codes = { repair: false, maxOperations: 1, onLineError: () => {} };
    for (const chunks of cuts(text)) {
      const { error } = await failure(pipe(from(chunks), patchLines(codes).final));
      expect(error).toMatchObject({ cause: { code: "max_operations" } });
      expect(error).not.toHaveProperty("value");
    }
  });

  test("the patches have the value of a copy, as of its moment", async () => {
    const copy = { op: "copy", from: "/a", path: "/b" };
    const text = linesOf({ op: "add", path: "/a", value: [1] }, copy, { op: "add", path: "/b/-", value: 2 });
    for (const chunks of cuts(text)) {
      const patches = await collect(pipe(from(chunks), patchLines().patches));
      expect(patches.flat().slice(-2)).toEqual([
        { op: "add", path: "/b", value: [1] },
        { op: "add", path: "/b/1", value: 2 },
      ]);
    }
  });

  test("an unknown option is refused", () => {
    expect(() => patchLines({ maxOperation: 3 } as PatchLinesOptions)).toThrow(/maxOperations/);
    expect(() => patchLines({ create: ["elements"] })).toThrow(TypeError);
  });
});
