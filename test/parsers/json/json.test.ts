import { collect, from, jsonParser, OutputParserError, pipe } from "millrace";
import { extract, fast, json, type JsonViews, repair } from "millrace/json";
import { coerce, zod } from "millrace/schema";
import { everyCut } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";

const schema = z.object({ name: z.string(), steps: z.array(z.object({ minutes: z.int() })) });
const nearlyJson =
  'Here you are:\n```json\n{name: \'Tea\', "steps": [{"minutes": "5"}, {"minutes": 2},],}\n```';
const clean = '{"name": "Tea", "steps": [{"minutes": 5}, {"minutes": 2}]}';

type Viewed = Pick<JsonViews<unknown, unknown>, "stream" | "patches" | "final">;

describe("json() with all parts", () => {
  const parts = json({ extract, repair, fast, check: zod(schema), coerce });
  const preset = jsonParser(schema);

  test("yields what jsonParser() yields, at every cut", async () => {
    for (const chunks of everyCut(nearlyJson)) {
      for (const view of ["stream", "patches", "final"] as const) {
        const read = ({ [view]: operator }: Viewed): Promise<unknown> => collect(operator(from(chunks)));
        expect(await read(parts)).toEqual(await read(preset));
      }
      const items = await collect(pipe(from(chunks), parts.items("/steps")));
      expect(items).toEqual([{ minutes: 5 }, { minutes: 2 }]);
    }
  });
});

describe("json() without parts", () => {
  test("accepts only JSON, and anything that is JSON", async () => {
    expect(await collect(pipe(from([clean]), json().final))).toEqual([JSON.parse(clean)]);
    await expect(collect(pipe(from([nearlyJson]), json().final))).rejects.toThrow(OutputParserError);
  });

  test("is a function from one async iterable to another", async () => {
    async function* chunks(): AsyncGenerator<string> {
      for (const character of "[1, 2]") yield await Promise.resolve(character);
    }
    expect(await collect(json().patches(chunks()))).toHaveLength(3);
  });
});

describe("the check of json()", () => {
  const check = zod(z.object({ stars: z.int().max(5) }));

  test("guards the stream, and coerces only with coerce", async () => {
    const text = ['{"stars": "4"', "}"];
    expect(await collect(pipe(from(text), json({ check, coerce }).final))).toEqual([{ stars: 4 }]);
    await expect(collect(pipe(from(text), json({ check }).stream))).rejects.toThrow(/\/stars/);
  });

  test("decides at the end, with guard: false", async () => {
    const seen: unknown[] = [];
    const read = async (): Promise<void> => {
      for await (const value of pipe(from(['{"stars": 9', "}"]), json({ check, guard: false }).stream))
        seen.push(value);
    };
    await expect(read()).rejects.toThrow(/schema/);
    expect(seen).toContainEqual({ stars: 9 });
  });

  test("refuses a pointer without an array, and checks each item by its own schema", async () => {
    const many = json({ check: zod(schema) });
    expect(() => many.items("/name" as never)).toThrow(/an array at "\/name"/);
    const minutes = zod(z.object({ minutes: z.int().transform((it) => it * 60) }));
    expect(await collect(pipe(from([clean]), many.items("/steps", minutes)))).toEqual([
      { minutes: 300 },
      { minutes: 120 },
    ]);
  });
});
