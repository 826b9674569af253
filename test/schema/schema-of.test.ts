import { jsonParser, type JsonObject } from "millrace";
import { schemaOf, SchemaError } from "millrace/schema";
import { type } from "arktype";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";

describe("schemaOf, over Zod 4", () => {
  const schema = schemaOf(
    z.object({ n: z.string().transform(Number), deep: z.array(z.object({ a: z.int().max(5) })) }),
  );

  test("has the JSON Schema of the input", () => {
    expect(schema.jsonSchema).toMatchObject({ type: "object", properties: { n: { type: "string" } } });
  });

  test("checks with transforms and refinements", async () => {
    expect(await schema.validate({ n: "12", deep: [] })).toEqual({ value: { n: 12, deep: [] } });
    expect(await schema.validate({ n: "12", deep: [{ a: 6 }] })).toMatchObject({
      issues: [{ pointer: "/deep/0/a" }],
    });
  });

  test("is named by its title", () => {
    expect(schemaOf(z.string().meta({ title: "greeting" })).name).toBe("greeting");
    expect(schemaOf(z.string()).name).toBe("output");
    expect(schemaOf({ title: "", type: "string" }).name).toBe("output");
  });

  test("reports a schema without JSON Schema, but still checks", async () => {
    const date = schemaOf(z.date());
    expect(() => date.jsonSchema).toThrow(SchemaError);
    expect(() => date.jsonSchema).toThrow(/zod.*JSON Schema/);
    expect(await date.validate(new Date(0))).toEqual({ value: new Date(0) });
  });

  test("escapes the keys of a JSON Pointer", async () => {
    const result = await schemaOf(z.object({ "a/b~": z.string() })).validate({ "a/b~": 1 });
    expect(result).toMatchObject({ issues: [{ pointer: "/a~1b~0" }] });
  });
});

describe("schemaOf, over functions in schemas of Zod", () => {
  type Check = (text: string) => unknown;
  const schemas: readonly (readonly [string, (check: Check) => Parameters<typeof schemaOf>[0]])[] = [
    ["a refinement", (check) => z.object({ a: z.string().refine(check) })],
    [
      "a refinement after others",
      (check) =>
        z.object({
          a: z
            .string()
            .refine(() => true)
            .refine(check),
        }),
    ],
    ["a transform", (check) => z.object({ a: z.string().transform(check) })],
    ["a transform inside a union", (check) => z.object({ a: z.string().transform(check).or(z.null()) })],
    ["a refinement of Zod Mini", (check) => mini.object({ a: mini.string().check(mini.refine(check)) })],
  ];

  test.each(schemas)("checks at once with %s", (_, schemaWith) => {
    expect(schemaOf(schemaWith((text) => text.length === 1)).validate({ a: "x" })).toHaveProperty("value");
  });

  test.each(schemas)("runs %s once if it is asynchronous", async (_, schemaWith) => {
    const check = vi.fn(async (text: string) => Promise.resolve(text.length === 1));
    expect(await schemaOf(schemaWith(check)).validate({ a: "x" })).toHaveProperty("value");
    expect(check).toHaveBeenCalledOnce();
  });

  test.each(schemas)("rejects with the error of %s", async (_, schemaWith) => {
    const schema = schemaOf(schemaWith(async () => Promise.reject(new Error("boom"))));
    await expect(schema.validate({ a: "x" })).rejects.toThrow("boom");
  });

  test.each([
    ["synchronous", () => false],
    ["asynchronous", async () => Promise.resolve(false)],
  ])("reports the messages of an object with a %s refinement", async (_, check) => {
    const own = z.object({ a: z.string().refine(check, "Own.") });
    expect(await schemaOf(own).validate({ a: "x" })).toEqual({
      issues: [{ pointer: "/a", message: "Own." }],
    });
    const ofZod = z.object({ a: z.string(), b: z.string().refine(check) });
    expect(await schemaOf(ofZod).validate({ b: "x" })).toEqual({
      issues: [
        { pointer: "/a", message: "Invalid input: expected string, received undefined" },
        { pointer: "/b", message: "Invalid input" },
      ],
    });
  });

  test("runs a transform of Zod Mini at once", () => {
    const schema = schemaOf(mini.pipe(mini.string(), mini.transform(Number)));
    expect(schema.validate("12")).toEqual({ value: 12 });
  });

  test("awaits an asynchronous transform of Zod Mini", async () => {
    const schema = schemaOf(
      mini.pipe(
        mini.string(),
        mini.transform(async (text) => Promise.resolve(Number(text))),
      ),
    );
    expect(await schema.validate("12")).toEqual({ value: 12 });
  });
});

describe("schemaOf, over any Standard Schema", () => {
  const bare = {
    "~standard": {
      version: 1 as const,
      vendor: "bare",
      validate: (value: unknown) =>
        value === 1 ? { value } : { issues: [{ message: "must be 1", path: [{ key: "x" }, 0, "y"] }] },
    },
  };

  test("checks, and reads both forms of a path", async () => {
    expect(await schemaOf(bare).validate(1)).toEqual({ value: 1 });
    expect(await schemaOf(bare).validate(2)).toEqual({
      issues: [{ pointer: "/x/0/y", message: "must be 1" }],
    });
  });

  test("accepts a schema that is a function", async () => {
    expect(await schemaOf(Object.assign(() => 0, bare)).validate(1)).toEqual({ value: 1 });
  });

  test("tells a user of Zod 3 to install Zod 4", async () => {
    const { z: zod3 } = await import("zod/v3");
    const schema = zod3.object({ a: zod3.string() });
    expect(() => schemaOf(schema as never).jsonSchema).toThrow(/npm install zod@4/);
    // Releases before Standard Schema.
    const older = { _def: schema._def, safeParse: schema.safeParse.bind(schema) };
    expect(() => schemaOf(older)).toThrow(/npm install zod@4/);
  });

  test("tells a user of Zod Mini to use Zod", () => {
    expect(() => schemaOf(mini.object({ a: mini.string() })).jsonSchema).toThrow(/Zod Mini/);
  });

  test("reports a library that does not write JSON Schema", () => {
    expect(() => schemaOf(bare).jsonSchema).toThrow(/bare/);
  });
});

describe("schemaOf, over JSON Schema", () => {
  const jsonSchema = {
    title: "person",
    type: "object",
    properties: {
      name: { type: "string", minLength: 2 },
      tags: { type: "array", items: { type: "string" } },
    },
    required: ["name"],
    additionalProperties: false,
  };

  test("has the schema itself, its title and its check", () => {
    const schema = schemaOf(jsonSchema);
    expect(schema.jsonSchema).toEqual(jsonSchema);
    expect(schema.name).toBe("person");
    expect(schema.validate({ name: "Ada" })).toEqual({ value: { name: "Ada" } });
  });

  test.each([
    { value: {}, pointers: [""] },
    { value: { name: "A" }, pointers: ["/name"] },
    { value: { name: "Ada", tags: ["x", 1] }, pointers: ["/tags/1"] },
    { value: { name: "Ada", "a/b": 1 }, pointers: ["/a~1b"] },
    { value: 1, pointers: [""] },
  ])("reports exactly the invalid places in $value", ({ value, pointers }) => {
    const result = schemaOf(jsonSchema).validate(value);
    if (result instanceof Promise) throw new Error("JSON Schema is checked at once.");
    expect(result.issues?.map(({ pointer }) => pointer)).toEqual(pointers);
  });

  test("follows the draft that $schema names", () => {
    const tuple = { items: [{ type: "string" }] };
    const draft7 = schemaOf({ $schema: "http://json-schema.org/draft-07/schema#", ...tuple });
    expect(draft7.validate([1])).toHaveProperty("issues");
    expect(draft7.validate(["a", 1])).toEqual({ value: ["a", 1] });
    const prefix = { prefixItems: [{ type: "string" }] };
    expect(schemaOf(prefix).validate([1])).toHaveProperty("issues");
  });

  const node = (next: JsonObject): JsonObject => ({ type: "object", properties: { next } });
  const rewritten: readonly [string, JsonObject, JsonObject][] = [
    [
      "an id in the definitions",
      { $ref: "Node", $defs: { Node: { $id: "Node", ...node({ $ref: "Node" }) } } },
      { $ref: "#/$defs/Node", $defs: { Node: node({ $ref: "#/$defs/Node" }) } },
    ],
    ["the id of the root", { $id: "Node", ...node({ $ref: "Node" }) }, node({ $ref: "#" })],
    [
      "a pointer that stays inside a part with an id",
      { items: { $id: "Node", ...node({ $ref: "#/$defs/Leaf" }), $defs: { Leaf: { type: "null" } } } },
      { items: { ...node({ $ref: "#/items/$defs/Leaf" }), $defs: { Leaf: { type: "null" } } } },
    ],
    [
      "an anchor",
      { items: { $ref: "#leaf" }, $defs: { "a leaf": { $anchor: "leaf", type: "null" } } },
      { items: { $ref: "#/$defs/a%20leaf" }, $defs: { "a leaf": { $anchor: "leaf", type: "null" } } },
    ],
  ];
  test.each(rewritten)("writes a reference to %s as a pointer from the root", (_, input, written) => {
    expect(schemaOf(input).jsonSchema).toEqual(written);
  });

  test.each([
    { items: { $ref: "#/$defs/A" }, $defs: { A: { $id: "A" } } },
    { items: { $ref: "nowhere" }, $defs: { A: { $id: "A" } } },
    { items: { $dynamicRef: "#a" }, $defs: { A: { $id: "A", $dynamicAnchor: "a" } } },
    {
      items: { $ref: "A" },
      $defs: { A: { $id: "A", $schema: "http://json-schema.org/draft-07/schema#" } },
    },
    { $ref: "https://json-schema.org/draft/2020-12/schema" },
  ])("keeps other references: %j", (input) => {
    expect(schemaOf(input).jsonSchema).toEqual(input);
  });

  test("reports a $ref without a target", () => {
    expect(() => schemaOf({ $ref: "#/nowhere" }).validate(1)).toThrow(SchemaError);
  });

  test("applies patterns that are invalid in unicode mode in the other mode, and reports them", () => {
    const schema = schemaOf({
      properties: {
        a: { pattern: "^\\_$" },
        b: { pattern: "(" },
        c: { $ref: "#/nowhere" },
        d: { pattern: "\\p{L}" },
      },
    });
    expect(schema.validate({ a: "_", b: "anything" })).not.toHaveProperty("issues.0");
    expect(schema.validate({ a: "x" })).toMatchObject({ issues: [{ pointer: "/a" }] });
    const pointers = ["/properties/a", "/properties/b", "/properties/c"];
    expect(schema.warnings.map(({ pointer }) => pointer)).toEqual(pointers);
    expect(schemaOf(z.string()).warnings).toEqual([]);
  });
});

test.each([undefined, null, 1, "object", [], () => 0])("%j is not a schema", (input) => {
  expect(() => schemaOf(input as never)).toThrow(/Zod.*Standard Schema.*JSON Schema/);
  if (typeof input === "function") expect(() => schemaOf(input as never)).toThrow(/function/);
});

test("an object without any keyword of JSON Schema is not a schema", () => {
  const inner = { type: "object" };
  const described = [{ title: "string" }, { description: "anything" }, { $schema: "", title: "" }];
  for (const input of [{ schema: inner, strict: true }, { foo: 1 }, ...described]) {
    expect(() => schemaOf(input)).toThrow(expect.objectContaining({ code: "not_a_schema" }) as Error);
    expect(() => jsonParser(input)).toThrow(TypeError);
  }
  for (const input of [{}, { $defs: {} }, { stream: "whole" }]) {
    expect(schemaOf(input).validate(1)).toEqual({ value: 1 });
    expect(jsonParser(input).parse("1")).toBe(1);
  }
  expect(() => jsonParser(null as never)).toThrow(SchemaError);
});

test("the stream marks of this package are not sent to the model, other `stream` members are", () => {
  const name = { type: "string", stream: "whole" };
  const written = {
    type: "object",
    properties: { stream: { type: "string", stream: { own: 1 } }, name: { type: "string" } },
    $defs: { whole: { enum: [{ stream: "whole" }] } },
  };
  const marked = { ...written, properties: { ...written.properties, name }, stream: "required" };
  expect(schemaOf(marked).jsonSchema).toEqual(written);
  const zod = schemaOf(z.object({ name: z.string().meta({ stream: "whole", title: "Name" }) }));
  expect(zod.jsonSchema["properties"]).toEqual({ name: { type: "string", title: "Name" } });
});

test("a JSON Schema rejects undefined", () => {
  expect(schemaOf({ type: "object" }).validate(undefined)).toMatchObject({ issues: [{ pointer: "" }] });
});

test("a tool definition, as OpenAI and LangChain write it, is the schema of its parameters", async () => {
  const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
  const called = { name: "report", description: "The weather.", parameters };
  for (const input of [called, { type: "function", function: called }]) {
    const schema = schemaOf(input);
    expect(schema.name).toBe("report");
    expect(schema.jsonSchema).toEqual({ title: "report", description: "The weather.", ...parameters });
    expect(await schema.validate({})).toHaveProperty("issues");
    expect(jsonParser(input).parse('{"city": "Oslo"}')).toEqual({ city: "Oslo" });
  }
});

test("a tool definition whose parameters are no JSON Schema is refused, because they would allow anything", () => {
  for (const parameters of [z.object({ city: z.string() }), type({ city: "string" })]) {
    const called = { name: "report", parameters };
    for (const input of [called, { type: "function", function: called }]) {
      expect(() => schemaOf(input)).toThrow(/parameters.*Standard Schema/);
      expect(() => jsonParser(input)).toThrow(expect.objectContaining({ code: "not_a_schema" }) as Error);
    }
  }
});

test.each<readonly [string, z.ZodType, RegExp]>([
  ["a date", z.object({ when: z.date() }), /z\.date\(\) at \/when\. Write z\.iso\.datetime\(\)/],
  ["a date in a list", z.object({ days: z.array(z.object({ at: z.date().optional() })) }), /at \/days\/at/],
  [
    "a map",
    z.object({ a: z.union([z.string(), z.map(z.string(), z.string())]) }),
    /z\.map\(\) at \/a.*record/,
  ],
  ["the root", z.date(), /z\.date\(\) at the root/],
])("the error for %s names the field and what to write instead", (_, schema, message) => {
  expect(() => schemaOf(schema).jsonSchema).toThrow(message);
});

test("a schema is compiled once, and a JSON Schema again after it has changed", async () => {
  const schema = z.object({ city: z.string() });
  expect(schemaOf(schema)).toBe(schemaOf(schema));

  const cities = ["Oslo"];
  const json = { type: "object", properties: { city: { enum: cities } } };
  const first = schemaOf(json);
  expect(schemaOf(json)).toBe(first);
  cities.push("Rome");
  expect(await schemaOf(json).validate({ city: "Rome" })).toEqual({ value: { city: "Rome" } });
  expect(jsonParser(json).parse('{"city": "Rome"}')).toEqual({ city: "Rome" });

  const around: Record<string, unknown> = { type: "object" };
  around["properties"] = { inner: around };
  expect(await schemaOf(around).validate({ inner: {} })).toEqual({ value: { inner: {} } });
});
