import { collect, from, jsonParser, pipe, type JsonValue } from "millrace";
import { JsonParser, repair } from "millrace/json";
import { guardOf } from "millrace/schema";
import { everyCut, fixedSizes } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { expectGrowth } from "../../schema/support/expect-growth.js";

const rows = {
  type: "array",
  maxItems: 4,
  items: {
    type: "object",
    properties: { id: { type: "number" }, name: { type: "string" } },
    required: ["id"],
  },
} as const;

function* ways(text: string): Generator<string[]> {
  yield* everyCut(text);
  yield* fixedSizes(text, [1, 2, 3, 7]);
}

interface Outcome {
  readonly value: JsonValue;
  readonly items: readonly JsonValue[];
  readonly repairs: readonly string[];
  readonly coercions: readonly string[];
}

/** Reads the text with all views, and checks that nothing shown was taken back. */
async function read(chunks: readonly string[]): Promise<Outcome> {
  const repairs: string[] = [];
  const coercions: string[] = [];
  const parser = jsonParser(rows, {
    onRepair: ({ kind, offset }) => repairs.push(`${kind} ${offset}`),
    onCoerce: ({ kind, pointer }) => coercions.push(`${kind} ${pointer}`),
  });
  const [value] = await collect(pipe(from(chunks), parser.final));
  const silent = jsonParser(rows);
  let before: JsonValue | undefined;
  for await (const snapshot of pipe(from(chunks), silent.stream)) {
    if (before !== undefined) expectGrowth(before, snapshot as JsonValue);
    before = snapshot as JsonValue;
  }
  expect(before).toEqual(value);
  expect(silent.parse(chunks.join(""))).toEqual(value);
  const items = await collect(pipe(from(chunks), silent.items("")));
  return { value: value as JsonValue, items, repairs, coercions };
}

const joined: readonly (readonly [
  name: string,
  text: string,
  ids: readonly number[],
  repairs: readonly string[],
])[] = [
  [
    "with commas between them",
    '{"id": 1}, {"id": 2},\n{"id": 3}',
    [1, 2, 3],
    ["missing_brackets 11", "missing_brackets 22"],
  ],
  ["one on each line", '{"id": 1}\n{"id": 2}\n', [1, 2], ["missing_brackets 10"]],
  ["on several lines each", '{\n"id": 1\n}\n\n{\n"id": 2\n}', [1, 2], ["missing_brackets 13"]],
  ["without anything between them", '{"id":1}{"id":2}', [1, 2], ["missing_brackets 8"]],
  [
    "in a fence, before prose",
    '```json\n{"id":1}\n{"id":2}\n```\nDone {it}.',
    [1, 2],
    ["missing_brackets 17"],
  ],
  ["in a fence each", '```json\n{"id":1}\n```\n\n```json\n{"id":2}\n```', [1, 2], ["missing_brackets 30"]],
  ["after the markers of a list", 'Rows:\n1. {"id":1}\n2. {"id":2}', [1, 2], ["missing_brackets 21"]],
  [
    "with a semicolon, a comment and quotes of other kinds",
    "{'id':1}; // next\n{id:2}",
    [1, 2],
    ["quote 1", "missing_brackets 18", "unquoted_key 19"],
  ],
  [
    "of which the first goes on after its bracket",
    '{"id":1}, "name":"x"}, {"id":2}',
    [1, 2],
    ["extra_closer 7", "missing_brackets 23"],
  ],
  [
    "of which the last is not closed",
    '{"id":1}\n{"id":2,"name":"b"',
    [1, 2],
    ["missing_brackets 9", "missing_closer 27"],
  ],
  ["with the closing bracket of the list", '{"id":1},\n{"id":2}\n]', [1, 2], ["missing_brackets 10"]],
];

const apart: readonly (readonly [
  name: string,
  text: string,
  ids: readonly number[],
  repairs: readonly string[],
])[] = [
  ["prose between them", '{"id":1}\nand then\n{"id":2}', [1], ["extra_document 18"]],
  ["a key that the schema does not name", '{"id":1}\n{"total":2}', [1], ["extra_document 9"]],
  ["a list after an object", '{"id":1}\n[{"id":2}]', [1], ["extra_document 9"]],
  ["several lists", '[{"id":1}]\n[{"id":2}]', [1], ["extra_document 11"]],
  [
    "more of them than the schema allows",
    '{"id":1},{"id":2},{"id":3},{"id":4},{"id":5}',
    [1, 2, 3, 4],
    ["missing_brackets 9", "missing_brackets 18", "missing_brackets 27", "extra_document 36"],
  ],
];

describe("several objects where the schema expects a list", () => {
  for (const [name, text, ids, repairs] of joined) {
    test(`are its elements: ${name}`, async () => {
      for (const chunks of ways(text)) {
        const found = await read(chunks);
        expect(found.items).toEqual(found.value);
        expect((found.value as { id: number }[]).map(({ id }) => id)).toEqual(ids);
        expect(found.repairs).toEqual(repairs);
        expect(found.coercions).toEqual([]);
      }
    });
  }

  for (const [name, text, ids, repairs] of apart) {
    test(`are reported: ${name}`, async () => {
      for (const chunks of ways(text)) {
        const found = await read(chunks);
        expect((found.value as { id: number }[]).map(({ id }) => id)).toEqual(ids);
        expect(found.repairs).toEqual(repairs);
      }
    });
  }

  test("yield each element when it is complete", async () => {
    const seen: unknown[] = [];
    async function* source(): AsyncGenerator<string> {
      yield '{"id": 1}\n';
      seen.push("next");
      yield '{"id": 2}\n';
      seen.push("end");
    }
    for await (const item of pipe(source(), jsonParser(rows).items(""))) seen.push(item);
    expect(seen).toEqual([{ id: 1 }, "next", { id: 2 }, "end"]);
  });

  test("are an error at the first one that does not satisfy the schema", async () => {
    for (const chunks of ways('{"id": 1}\n{"id": "one"}')) {
      await expect(collect(pipe(from(chunks), jsonParser(rows).final))).rejects.toMatchObject({
        code: "schema",
        value: [{ id: 1 }, {}],
        issues: [{ pointer: "/1/id" }],
      });
    }
  });

  test("may have keys that the schema does not name, if the one before has them", async () => {
    const { value } = await read(['{"n": 7, "id": 1}\n{"n": 8, "id": 2}']);
    expect(value).toEqual([
      { n: 7, id: 1 },
      { n: 8, id: 2 },
    ]);
  });

  test("are not certain to be all of them if the output was cut", async () => {
    const read = (text: string): Promise<unknown[]> =>
      collect(
        pipe(
          from([{ content: [{ type: "text" as const, text }], finishReason: "length" as const }]),
          jsonParser(rows).final,
        ),
      );
    await expect(read('{"id": 1}\n{"id": 2}\n')).rejects.toMatchObject({ code: "truncated" });
    await expect(read('{"id": 1}\n{"i')).rejects.toMatchObject({ code: "truncated" });
    expect(await read('{"id": 1}\n')).toEqual([[{ id: 1 }]]);
  });

  test("are text after the document without `extract`", () => {
    const parser = new JsonParser({ repair, guard: guardOf(rows) });
    expect(() => {
      parser.write('{"id": 1}\n{"id": 2}');
    }).toThrow(expect.objectContaining({ code: "trailing_text" }));
  });
});
