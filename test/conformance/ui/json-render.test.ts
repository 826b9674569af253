import { compileSpecStream, createSpecStreamCompiler, type Spec, validateSpec } from "@json-render/core";
import fc from "fast-check";
import { collect, from, jsonParser, type JsonValue, last, pipe, throttle } from "millrace";
import { type AnyPatchOperation, applyPatch } from "millrace/json";
import { joinPatches } from "millrace/serve";
import { everyCut, fixedSizes } from "millrace/testing";
import { fromSpecStream, toSpecStream } from "millrace/ui";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { linesOf } from "../../parsers/patch-lines/support/read-lines.js";

/** What a model writes for json-render: each element in one line, then changes and some data. */
const lines = [
  { op: "add", path: "/root", value: "card" },
  {
    op: "add",
    path: "/elements/card",
    value: {
      type: "Card",
      props: { title: "Green tea", note: "Brew it." },
      children: ["list", "text"],
    },
  },
  {
    op: "add",
    path: "/elements/list",
    value: { type: "List", props: { items: ["a", "b"] }, children: [] },
  },
  {
    op: "add",
    path: "/elements/text",
    value: { type: "Text", props: { text: { $state: "/tip" } }, children: [] },
  },
  { op: "add", path: "/elements/old", value: { type: "Text", props: { text: "" }, children: [] } },
  { op: "add", path: "/state/tip", value: "Cool" },
  { op: "replace", path: "/elements/card/props/title", value: "Green tea for two" },
  { op: "add", path: "/elements/list/props/items/-", value: "Drink" },
  { op: "copy", from: "/elements/text", path: "/elements/more" },
  { op: "move", from: "/elements/list/props/items/0", path: "/elements/list/props/items/1" },
  { op: "remove", path: "/elements/old" },
] as const;
const text = linesOf(...lines);

const catalogue = {
  components: {
    Card: z.strictObject({ title: z.string(), note: z.string().optional() }),
    List: z.strictObject({ items: z.array(z.string()) }),
    Text: z.strictObject({ text: z.string() }),
  },
};

/** The value that json-render's client makes of texts. */
function compiled(chunks: Iterable<string>): unknown {
  const compiler = createSpecStreamCompiler();
  for (const chunk of chunks) compiler.push(chunk);
  return compiler.getResult();
}

describe("fromSpecStream()", () => {
  test("gives what json-render's compiler gives, cut at every character", async () => {
    const expected = compileSpecStream(text);
    const { final } = fromSpecStream({ catalogue });
    for (const chunks of [...everyCut(text), ...fixedSizes(text, [1, 7, 64])]) {
      expect(await last(pipe(from(chunks), final))).toEqual(expected);
    }
    expect(validateSpec(expected as unknown as Spec).valid).toBe(true);
  });

  test("reads prose and a fence around the lines", async () => {
    const output = `Here it is:\n\n\`\`\`spec\n${text}\`\`\`\nEnjoy.`;
    expect(await last(pipe(from([output]), fromSpecStream({ catalogue }).final))).toEqual(
      compileSpecStream(text),
    );
  });

  test("refuses a component and properties that json-render accepts", async () => {
    const refused: string[] = [];
    const bad = linesOf(
      { op: "add", path: "/root", value: "a" },
      { op: "add", path: "/elements/a", value: { type: "Card", props: { title: "Tea" }, children: [] } },
      { op: "add", path: "/elements/b", value: { type: "Button", props: {}, children: [] } },
      { op: "replace", path: "/elements/a/props/title", value: { wrong: true } },
      { op: "add", path: "/elements/a/props/colour", value: "green" },
    );
    const parser = fromSpecStream({ catalogue, onLineError: ({ path = "" }) => refused.push(path) });
    const spec = await last(pipe(from([bad]), parser.final));
    expect(refused).toEqual(["/elements/b", "/elements/a/props/title", "/elements/a/props/colour"]);
    const card = { type: "Card", props: { title: "Tea" }, children: [] };
    expect(spec).toEqual({ root: "a", elements: { a: card } });
    expect(Object.keys(Object(compileSpecStream(bad)["elements"]) as object)).toEqual(["a", "b"]);
  });

  test("shows a component from the first character of its value, json-render at the end of its line", async () => {
    const names = ["card", "list", "text", "old"];
    const ours = new Map<string, number>();
    const theirs = new Map<string, number>();
    const note = (seen: Map<string, number>, value: unknown, at: number): void => {
      const elements = Object((value as Partial<Spec>).elements) as object;
      for (const name of names) if (!seen.has(name) && Object.hasOwn(elements, name)) seen.set(name, at);
    };
    const compiler = createSpecStreamCompiler();
    let read = 0;
    async function* characters(): AsyncGenerator<string> {
      for (const character of Array.from(text)) {
        read++;
        note(theirs, compiler.push(character).result, read);
        yield character;
      }
    }
    for await (const spec of pipe(characters(), fromSpecStream().snapshots)) note(ours, spec, read);
    for (const name of names) {
      const start = text.indexOf(`"/elements/${name}"`);
      expect(ours.get(name)).toBe(text.indexOf("{", start) + 1);
      expect(theirs.get(name)).toBe(text.indexOf("\n", start) + 1);
    }
  });
});

describe("toSpecStream()", () => {
  test("gives json-render's client our value, with the source cut at every character", async () => {
    const expected = compileSpecStream(text);
    const [whole, growing] = [fromSpecStream(), fromSpecStream({ append: true })];
    for (const chunks of [...everyCut(text), ...fixedSizes(text, [1, 7, 64])]) {
      const { patches } = chunks.length > 2 ? growing : whole;
      expect(compiled(await collect(pipe(from(chunks), patches, toSpecStream())))).toEqual(expected);
    }
  });

  test("writes lines that the client reads at every cut, none of the root", async () => {
    const written = (await collect(pipe(from([text]), fromSpecStream().patches, toSpecStream()))).join("");
    for (const chunks of everyCut(written)) expect(compiled(chunks)).toEqual(compileSpecStream(text));
    expect(written).not.toContain('"path":""');
  });

  test("writes a whole spec, another one, and one that is taken back, without a patch of the root", async () => {
    const spec = (title: string, ...names: string[]): JsonValue => ({
      root: names[0] ?? "",
      elements: Object.fromEntries(
        names.map((name) => [name, { type: "Card", props: { title }, children: [] }]),
      ),
    });
    const withState = { root: "~d", elements: {}, state: { x: 1 } };
    const values = [spec("A", "a", "b"), withState, spec("B", "b/c", "~d"), spec("C"), null, spec("D", "d")];
    const patches = values.map((value): AnyPatchOperation[] => [{ op: "replace", path: "", value }]);
    const compiler = createSpecStreamCompiler();
    const written = await collect(pipe(from(patches), toSpecStream()));
    expect(written).toHaveLength(values.length);
    for (const [i, piece] of written.entries()) {
      expect(piece).not.toContain('"path":""');
      expect(compiler.push(piece).result).toEqual(values[i] ?? {});
    }
  });

  test.each<[string, ...AnyPatchOperation[]]>([
    ["a copy that changes", { op: "copy", from: "/a", path: "/b" }, { op: "add", path: "/b/x", value: 1 }],
    ["a copy of the document", { op: "copy", from: "", path: "/b" }],
    ["a copy to the document", { op: "copy", from: "/a", path: "" }],
    ["a move of an empty key", { op: "move", from: "/", path: "/b" }],
    ["a move inside a list", { op: "move", from: "/l/0", path: "/l/2" }],
    ["a move to its own place", { op: "move", from: "/l/1", path: "/l/1" }],
    [
      "a move that an append follows",
      { op: "move", from: "/t", path: "/l/-" },
      { op: "append", path: "/l/3", value: "ea" },
    ],
  ])("gives json-render's client the value of %s", async (_what, ...operations) => {
    const before: JsonValue = { a: { y: {} }, l: [1, 2, 3], t: "T", "": { z: [] } };
    const written = await collect(
      pipe(
        from([[{ op: "replace", path: "", value: before }], operations] as AnyPatchOperation[][]),
        toSpecStream(),
      ),
    );
    expect(compiled(written)).toEqual(applyPatch(before, operations));
  });

  test("refuses a copy into a depth that the client cannot read", async () => {
    const deep = (levels: number): JsonValue =>
      JSON.parse('{"a":'.repeat(levels) + "1" + "}".repeat(levels)) as JsonValue;
    const patch: AnyPatchOperation[] = [
      { op: "replace", path: "", value: { b: deep(1_500), c: deep(900) } },
      { op: "copy", from: "/b", path: `/c${"/a".repeat(899)}/d` },
    ];
    const written = collect(pipe(from([patch]), toSpecStream()));
    await expect(written).rejects.toMatchObject({ name: "JsonPatchError", code: "refused", index: 1 });
  });

  test("sends __proto__ in the container around it, as the client ignores it in a path", async () => {
    const elements = JSON.parse('{"a":{"props":{}},"__proto__":{"type":"Card","props":{}}}') as JsonValue;
    const patches: AnyPatchOperation[][] = [
      [{ op: "replace", path: "", value: { root: "a", elements } }],
      [
        { op: "add", path: "/elements/a/props/__proto__", value: { t: "T" } },
        { op: "append", path: "/elements/a/props/__proto__/t", value: "ea" },
        { op: "add", path: "/elements/a/props/u", value: 1 },
      ],
      [{ op: "copy", from: "/elements/a/props/__proto__/t", path: "/elements/a/t" }],
      [{ op: "remove", path: "/elements/__proto__" }],
    ];
    let value: JsonValue | undefined;
    const compiler = createSpecStreamCompiler();
    const written = await collect(pipe(from(patches), toSpecStream()));
    for (const [i, patch] of patches.entries()) {
      value = applyPatch(value, patch);
      const { result } = compiler.push(written[i] as string);
      expect(JSON.stringify(result)).toBe(JSON.stringify(value));
    }
  });

  test("refuses the member __proto__ of the document, and a move of one, which the client ignores without a word", async () => {
    for (const patch of [
      [{ op: "replace", path: "", value: JSON.parse('{"__proto__":1}') as JsonValue }],
      [
        { op: "replace", path: "", value: {} },
        { op: "add", path: "/__proto__", value: 1 },
      ],
      [
        { op: "replace", path: "", value: { a: JSON.parse('{"__proto__":1}') as JsonValue } },
        { op: "move", from: "/a/__proto__", path: "/b" },
      ],
    ] as AnyPatchOperation[][]) {
      const written = collect(pipe(from([patch]), toSpecStream()));
      await expect(written).rejects.toMatchObject({ name: "JsonPatchError", code: "refused" });
    }
    expect(compiled(['{"op":"add","path":"/__proto__","value":1}\n'])).toEqual({});
  });

  test("writes what a JSON parser shows, also when patches are joined", async () => {
    const json = JSON.stringify(compileSpecStream(text));
    const pieces = json.match(/[^]{1,9}/g) ?? [];
    const patches = pipe(from(pieces), jsonParser(undefined, { append: true }).patches);
    const written = await collect(pipe(patches, throttle(1, { merge: joinPatches }), toSpecStream()));
    expect(compiled(written)).toEqual(JSON.parse(json));
  });

  test("follows any patches of elements, cut anywhere", async () => {
    const name = fc.constantFrom("a", "b", "c~1d", "e~0f");
    const value = fc.oneof(fc.string(), fc.integer(), fc.array(fc.string(), { maxLength: 3 }));
    const changes = fc.array(fc.tuple(name, name, value), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(changes, fc.integer({ min: 1, max: 30 }), async (list, size) => {
        const operations = list.flatMap(([key, prop, it]) => [
          { op: "add", path: `/elements/${key}`, value: { type: "Any", props: {} } },
          { op: "add", path: `/elements/${key}/props/${prop}`, value: it },
        ]);
        const source = linesOf(...operations);
        const pieces = source.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
        const { patches } = fromSpecStream({ append: true });
        const written = await collect(pipe(from(pieces), patches, toSpecStream()));
        expect(compiled(written)).toEqual(compiled([source]));
      }),
      { numRuns: 100 },
    );
  });
});
