import { collect, from, jsonParser, OutputParserError, pipe } from "millrace";
import { describe, expect, test } from "vitest";
import { z } from "zod";

const person = z.object({
  name: z.string(),
  email: z.email().optional(),
  nick: z.string().nullable().optional(),
  age: z.int().default(30),
  home: z.object({ street: z.string().optional(), zip: z.string() }).optional(),
  friends: z.array(z.union([z.object({ id: z.number().optional() }).strict(), z.string()])).optional(),
});
/** As plain data, because the JSON Schema of Zod is a Standard Schema too. */
const jsonSchema = JSON.parse(JSON.stringify(z.toJSONSchema(person, { io: "input" }))) as object;

async function finals(schema: object, text: string): Promise<unknown> {
  const parser = jsonParser(schema as typeof person, { nullAsAbsent: true });
  const whole = parser.parse(text);
  // The guard must accept what the check accepts.
  for (const size of [1, 7, text.length]) {
    const pieces = text.match(new RegExp(`.{1,${size}}`, "gs")) ?? [];
    expect(await collect(pipe(from(pieces), parser.final))).toEqual([whole]);
  }
  return whole;
}

describe("with nullAsAbsent", () => {
  const text =
    '{"name":"Ada","email":null,"age":null,"home":{"street":null,"zip":"1"},"friends":[{"id":null},"x"]}';

  test("null counts as an absent optional property", async () => {
    expect(await finals(person, text)).toEqual({
      name: "Ada",
      age: 30,
      home: { zip: "1" },
      friends: [{}, "x"],
    });
    expect(await finals(jsonSchema, text)).toEqual({ name: "Ada", home: { zip: "1" }, friends: [{}, "x"] });
  });

  test("a null that the schema allows is kept", async () => {
    expect(await finals(person, '{"name":"Ada","nick":null}')).toMatchObject({ nick: null });
  });

  test("a null that the schema does not allow is reported as null", async () => {
    const parser = jsonParser(person, { nullAsAbsent: true });
    for (const wrong of ['{"name":null}', '{"name":"Ada","email":null,"home":{"zip":null}}']) {
      await expect(collect(pipe(from([wrong]), parser.final))).rejects.toThrow(OutputParserError);
      expect(() => parser.parse(wrong)).toThrow(/null/);
    }
  });

  test("without the option null is an error", () => {
    expect(() => jsonParser(person).parse(text)).toThrow(OutputParserError);
  });

  test("asynchronous schemas are called twice too", async () => {
    const slow = z.object({ a: z.string().optional() }).refine(async () => Promise.resolve(true));
    const parser = jsonParser(slow, { nullAsAbsent: true });
    expect(await collect(pipe(from(['{"a":null}']), parser.final))).toEqual([{}]);
  });
});
