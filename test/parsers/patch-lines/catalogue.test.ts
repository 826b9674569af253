import { collect, from, patchLines, pipe } from "millrace";
import type { SchemaViolation } from "millrace/schema";
import { everyCut } from "millrace/testing";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { failure } from "../support/reading.js";
import { charactersOf, linesOf, readLines } from "./support/read-lines.js";

const recipe = z.strictObject({
  title: z.string().min(3),
  stars: z.number(),
  tags: z.array(z.string()).max(2).optional(),
  kind: z.enum(["drink", "food"]).optional(),
});

describe("patchLines({ schema })", () => {
  const read = (text: string): ReturnType<typeof readLines> =>
    readLines(charactersOf(text), { schema: recipe });

  test("refuses a path that the schema does not have, and a value that it does not allow, at the first character", async () => {
    const { errors, value, events } = await read(
      linesOf(
        { op: "add", path: "/name", value: "a" },
        { op: "add", path: "/title", value: { a: "b" } },
        { op: "add", path: "/title/x", value: 1 },
        { op: "add", path: "/tags", value: ["a"] },
        { op: "add", path: "/tags/-", value: { b: "b" } },
        { op: "add", path: "", value: { title: "Tea", more: 1 } },
      ),
    );
    expect(errors.map(({ code, path }) => [code, path])).toEqual([
      ["schema", "/name"],
      ["schema", "/title"],
      ["schema", "/title/x"],
      ["schema", "/tags/-"],
      ["schema", ""],
    ]);
    expect(errors.map(({ cause }) => (cause as SchemaViolation).pointer)).toEqual([
      "/name",
      "/title",
      "/title/x",
      "/tags/1",
      "/more",
    ]);
    expect(value).toEqual({ tags: ["a"] });
    expect(JSON.stringify(events)).not.toContain('"b"');
  });

  test("allows what later operations complete: short strings, missing members", async () => {
    const text = linesOf(
      { op: "replace", path: "", value: {} },
      { op: "add", path: "/title", value: "T" },
      { op: "append", path: "/title", value: "ea" },
      { op: "add", path: "/stars", value: 5 },
    );
    expect(await collect(pipe(from([text]), patchLines({ schema: recipe }).final))).toEqual([
      { title: "Tea", stars: 5 },
    ]);
  });

  test("checks the document at the end, with transforms and defaults", async () => {
    const { error } = await failure(
      pipe(
        from([linesOf({ op: "add", path: "/title", value: "Tea" })]),
        patchLines({ schema: recipe }).final,
      ),
    );
    expect(error).toMatchObject({ code: "schema", value: { title: "Tea" } });
    const withDefault = z.object({ a: z.string().transform((it) => it.length), b: z.number().default(7) });
    const text = linesOf({ op: "add", path: "/a", value: "four" });
    expect(patchLines({ schema: withDefault }).parse(text)).toEqual({ a: 4, b: 7 });
  });

  test("reads values and keys as the schema expects them, and reports it, also if the path comes last", async () => {
    for (const members of [
      ["op", "path", "value"],
      ["value", "path", "op"],
    ] as const) {
      const coercions: unknown[] = [];
      const line = (operation: Record<string, unknown>): string =>
        `${JSON.stringify(Object.fromEntries(members.map((name) => [name, operation[name]])))}\n`;
      const { value, repairs, errors } = await readLines(
        [line({ op: "add", path: "/Stars", value: "5" }), line({ op: "add", path: "/kind", value: "DRINK" })],
        { schema: recipe, onCoerce: ({ kind, pointer }) => coercions.push([kind, pointer]) },
      );
      expect(errors).toEqual([]);
      expect(value).toEqual({ stars: 5, kind: "drink" });
      expect(coercions).toHaveLength(2);
      expect(repairs.map(({ kind }) => kind)).toContain("path");
    }
  });

  test("reports a number that JavaScript does not have, at its place in the document", async () => {
    const coercions: unknown[] = [];
    await readLines(
      [
        '{"op":"add","path":"/a/-","value":{"id":9007199254740993}}\n{"op":"add","path":"/a","value":[1]}\n',
        '{"value":[9007199254740993],"path":"/b","op":"add"}\n{"op":"add","path":"/c","value":9007199254740993}',
      ],
      { onCoerce: ({ kind, pointer, from }) => coercions.push([kind, pointer, from]) },
    );
    expect(coercions).toEqual(
      ["/a/-/id", "/b/0", "/c"].map((pointer) => ["rounded", pointer, "9007199254740993"]),
    );
  });

  test("refuses a value that comes before its path, or that waited, once", async () => {
    const text = [
      '{"value":{"tags":["a"],"more":1},"path":"","op":"replace"}',
      '{"op":"add","path":"/tags/0","value":{"b":1}}',
      '{"op":"add","path":"/tags","value":[]}',
    ].join("\n");
    const { errors, value, events } = await read(text);
    expect(errors.map(({ code, operation }) => [code, operation])).toEqual([
      ["schema", 1],
      ["schema", 2],
    ]);
    expect(value).toEqual({ tags: [] });
    expect(JSON.stringify(events)).not.toContain('"a"');
  });

  test("checks what is moved and copied", async () => {
    const text = linesOf(
      { op: "add", path: "/title", value: "Tea" },
      { op: "copy", from: "/title", path: "/stars" },
      { op: "move", from: "/title", path: "/other" },
    );
    const { errors, value } = await read(text);
    expect(errors.map(({ code }) => code)).toEqual(["schema", "schema"]);
    expect(value).toEqual({ title: "Tea" });
  });

  test("withholds an enum until it is complete", async () => {
    const { events } = await read('{"op":"add","path":"/kind","value":"drink"}');
    expect(events.flatMap(({ patch }) => patch).at(-1)).toEqual({ op: "add", path: "/kind", value: "drink" });
    expect(JSON.stringify(events)).not.toContain('"dri"');
  });
});

describe("patchLines({ catalogue })", () => {
  const catalogue = {
    components: {
      Card: z.strictObject({ title: z.string(), open: z.boolean().optional() }),
      Text: v.strictObject({ text: v.string() }),
      List: {
        type: "object",
        properties: { items: { type: "array", items: { type: "string" } } },
        additionalProperties: false,
      },
    },
  };
  const options = { catalogue, create: ["/elements"] };

  test("guards the type and the properties of each element, however the text is cut", async () => {
    const text = linesOf(
      { op: "add", path: "/elements/c", value: { type: "Card", props: { title: "Tea" }, children: ["t"] } },
      { op: "add", path: "/elements/t", value: { type: "Text", props: { text: "Hi" } } },
      { op: "add", path: "/elements/x", value: { type: "Button", props: {} } },
      { op: "add", path: "/elements/y", value: { type: "Text", props: { title: "no" } } },
      { op: "add", path: "/elements/c/props/text", value: "no" },
      { op: "add", path: "/elements/t/props/text", value: 5 },
      { op: "add", path: "/elements/c/props/open", value: true },
      { op: "add", path: "/elements/z", value: { props: { text: "z" }, type: "Text" } },
      { op: "add", path: "/elements/l", value: { type: "List", props: { items: ["a"] } } },
      { op: "add", path: "/elements/l/props/items/0", value: false },
    );
    let at = 0;
    for (const chunks of everyCut(text)) {
      if (at++ % 7 !== 0) continue;
      const { errors, value, failure: ended } = await readLines(chunks, options);
      expect(ended).toBeUndefined();
      expect(errors.map(({ code, operation }) => [code, operation])).toEqual([
        ["schema", 3],
        ["schema", 4],
        ["schema", 5],
        ["schema", 6],
        ["schema", 10],
      ]);
      expect(value).toEqual({
        elements: {
          c: { type: "Card", props: { title: "Tea", open: true }, children: ["t"] },
          t: { type: "Text", props: { text: "Hi" } },
          z: { type: "Text", props: { text: "z" } },
          l: { type: "List", props: { items: ["a"] } },
        },
      });
    }
  });

  test("allows an expression for any property, at any depth", async () => {
    const text = linesOf(
      {
        op: "add",
        path: "/elements/c",
        value: { type: "Card", props: { title: { $state: "/t" }, open: { $cond: 1 } } },
      },
      {
        op: "add",
        path: "/elements/l",
        value: { type: "List", props: { items: [{ $computed: "f", args: {} }] } },
      },
    );
    const { errors, value } = await readLines([text], options);
    expect(errors).toEqual([]);
    expect(await collect(pipe(from([text]), patchLines(options).final))).toEqual([value]);
  });

  test("checks all elements at the end", async () => {
    const text = linesOf({ op: "add", path: "/elements/c", value: { type: "Card", props: {} } });
    const { error } = await failure(pipe(from([text]), patchLines(options).final));
    expect(error).toMatchObject({ code: "schema", issues: [{ pointer: "/elements/c/props/title" }] });
  });

  test("its elements may lie elsewhere, under other names", async () => {
    const parser = patchLines({
      catalogue: {
        components: { Text: z.strictObject({ text: z.string() }) },
        elements: "/ui/all",
        type: "is",
        props: "with",
      },
      initial: { ui: { all: {} } },
    });
    const add = (value: object): string => linesOf({ op: "add", path: "/ui/all/t", value });
    expect(parser.parse(add({ is: "Text", with: { text: "Hi" } }))).toMatchObject({
      ui: { all: { t: { is: "Text" } } },
    });
    expect(() => parser.parse(add({ is: "Texts", with: { text: "Hi" } }))).toThrow();
    expect(parser.instructions).toContain("Text");
  });
});
