import fc from "fast-check";
import { from, jsonParser, type JsonValue, type Operator, patchLines, pipe } from "millrace";
import { type AnyPatchOperation, applyPatch, expandAppends } from "millrace/json";
import { fixedSizes } from "millrace/testing";
import { expect, test } from "vitest";
import { WireSizes } from "../../../src/server/measure/wire-sizes.js";

function bytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** Computes the sizes by writing everything. */
async function sizesOf(
  chunks: readonly string[],
  patches: Operator<string, readonly AnyPatchOperation[]> = jsonParser(undefined, {
    append: true,
    strict: true,
  }).patches,
): Promise<{ counted: object; written: object }> {
  const sizes = new WireSizes();
  const written = { append: 0, replace: 0, snapshot: 0 };
  let value: JsonValue | undefined;
  for await (const patch of pipe(from(chunks), patches)) {
    sizes.add(patch);
    written.append += bytes(patch);
    written.replace += bytes(expandAppends(patch, value));
    value = applyPatch(value, patch);
    written.snapshot += bytes(value);
  }
  const { append, replace, snapshot } = sizes;
  return { counted: { append, replace, snapshot }, written };
}

test("the sizes are those of the written JSON, for any document and any chunks", async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), fc.integer({ min: 1, max: 9 }), async (document, size) => {
      const [chunks = []] = fixedSizes(JSON.stringify(document), [size]);
      const { counted, written } = await sizesOf(chunks);
      expect(counted).toEqual(written);
    }),
    { numRuns: 150 },
  );
});

test("also with repeated keys, and with characters of several bytes", async () => {
  for (const text of [
    '{"a": "x", "a": {"b": 1}, "c": 2}',
    '["äöü", "𝄞 clef", "\\n\\u0001"]',
    '{"/~": {"": []}}',
  ]) {
    const [chunks = []] = fixedSizes(text, [3]);
    const { counted, written } = await sizesOf(chunks);
    expect(counted, text).toEqual(written);
  }
});

test("also with operations that remove, move, copy and replace, and lines that are taken back", async () => {
  const lines = [
    '{"op":"add","path":"/a","value":{"x":"one","list":[1,2]}}',
    '{"op":"append","path":"/a/x","value":" and two"}',
    '{"op":"add","path":"/a/list/0","value":{"deep":"äö"}}',
    '{"op":"add","path":"/a/x","value":"again"}',
    '{"op":"copy","from":"/a/list","path":"/b"}',
    '{"op":"move","from":"/a/x","path":"/b/-"}',
    '{"op":"add","path":"/c","value":{"growing":"this is taken back","then":oops!}}',
    '{"op":"remove","path":"/a/list/1"}',
    '{"op":"add","path":"/a/x","value":"x"}',
    '{"op":"copy","from":"/a","path":"/d"}',
    '{"op":"append","path":"/a/x","value":"y"}',
    '{"op":"append","path":"/d/x","value":"ö"}',
    '{"op":"append","path":"/a/x","value":"z"}',
    '{"op":"add","path":"/d/list/0","value":"0"}',
    '{"op":"append","path":"/d/list/0","value":"1"}',
    '{"op":"add","path":"/d/list/0","value":"front"}',
    '{"op":"append","path":"/d/list/0","value":"door"}',
    '{"op":"append","path":"/d/list/1","value":"2"}',
    '{"op":"move","from":"/d/x","path":"/d/äö"}',
    '{"op":"move","from":"/d/list/0","path":"/d/list/1"}',
    '{"op":"test","path":"/d/list/0","value":"012"}',
    '{"op":"remove","path":"/d/äö"}',
    '{"op":"remove","path":"/d/list"}',
    '{"op":"add","path":"/d/one","value":1}',
    '{"op":"add","path":"","value":{"fresh":["x"]}}',
    '{"op":"add","path":"/fresh/-","value":"y"}',
  ].join("\n");
  const { patches } = patchLines({ append: true, onLineError: () => {} });
  for (const size of [1, 3, 7, 1_000]) {
    const [chunks = []] = fixedSizes(lines, [size]);
    const { counted, written } = await sizesOf(chunks, patches);
    expect(counted).toEqual(written);
  }
});
