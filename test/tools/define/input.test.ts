import { type } from "arktype";
import { collect, invoke, type JsonObject, tool, type ToolRuntime } from "millrace";
import { runTool, ToolError } from "millrace/agent";
import type { SchemaInput } from "millrace/schema";
import * as v from "valibot";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { eventsOf, toldBy } from "../support.js";

/** A tool that returns its arguments. */
const echo = (schema?: SchemaInput): ReturnType<typeof tool> =>
  tool({ name: "echo", ...(schema && { schema }), run: (args: unknown) => args }) as never;

const city = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };

describe("a tool takes an object in any kind of schema", () => {
  const forms: readonly [string, SchemaInput][] = [
    ["Zod", z.object({ city: z.string() })],
    ["Valibot", toStandardJsonSchema(v.object({ city: v.string() }))],
    ["ArkType", type({ city: "string" })],
    ["JSON Schema 2020-12", city],
    ["JSON Schema draft-07", { $schema: "http://json-schema.org/draft-07/schema#", ...city }],
    ["a JSON Schema without a type", { properties: city.properties, required: ["city"] }],
    ["a reference", { $ref: "#/$defs/City", $defs: { City: city } }],
    [
      "a reference with rules beside it",
      { $ref: "#/$defs/City", required: ["city"], $defs: { City: { ...city, required: [] } } },
    ],
    [
      "a reference beside rules that its draft ignores",
      {
        $schema: "http://json-schema.org/draft-07/schema#",
        $ref: "#/$defs/City",
        properties: { zip: {} },
        required: ["zip"],
        $defs: { City: city },
      },
    ],
    ["a reference to a name with a tilde", { $ref: "#/$defs/A~B", $defs: { "A~B": city } }],
    ["a reference to a name with a percent sign", { $ref: "#/$defs/50%", $defs: { "50%": city } }],
    ["a choice of one object", { anyOf: [city] }],
    [
      "an object with a choice of required members",
      { ...city, anyOf: [{ required: ["city"] }, { required: ["zip"] }] },
    ],
    ["a combination", { allOf: [city, { type: "object" }] }],
    ["a Zod schema with an id", z.object({ city: z.string() }).meta({ id: "city" })],
    ["a discriminated union", z.discriminatedUnion("city", [z.object({ city: z.literal("Oslo") })])],
  ];
  test.each(forms)("%s", async (_name, schema) => {
    const it = echo(schema);
    expect(await toldBy(it, { city: "Oslo" })).toBe('{"city":"Oslo"}');
    expect(await eventsOf(it, { city: 1 })).toMatchObject([
      { type: "error", error: { code: "invalid_input", tool: "echo" } },
    ]);
  });

  test("the root of the parameters is an object in each of these forms, because providers require an object there", () => {
    for (const [name, schema] of forms) {
      const expected = name === "a combination" ? {} : { properties: { city: { type: "string" } } };
      expect(echo(schema).parameters, name).toMatchObject({ type: "object", ...expected });
    }
  });

  test("a recursive schema is kept unchanged", async () => {
    interface Node {
      readonly children: readonly Node[];
    }
    const node: z.ZodType<Node> = z.object({
      get children() {
        return z.array(node);
      },
    });
    expect(await toldBy(echo(node as SchemaInput), { children: [{ children: [] }] })).toBe(
      '{"children":[{"children":[]}]}',
    );
    expect(() => echo({ $ref: "#" })).toThrow(expect.objectContaining({ code: "invalid_tool" }));
  });

  test("run gets the output of the schema, also of an asynchronous one", async () => {
    const schema = z.object({
      city: z.string().transform((name) => name.toUpperCase()),
      days: z
        .int()
        .refine((days) => Promise.resolve(days < 8), "at most a week")
        .default(1),
    });
    expect(await toldBy(echo(schema), { city: "Oslo" })).toBe('{"city":"OSLO","days":1}');
    expect(await toldBy(echo(schema), { city: "Oslo", days: 9 })).toMatch(/"echo".* \/days: at most a week/);
  });

  test("an asynchronous check that rejects is an error of the tool", async () => {
    const schema = z.object({ city: z.string().refine(() => Promise.reject(new Error("No network."))) });
    expect(await toldBy(echo(schema), { city: "Oslo" })).toBe('The tool "echo" failed: No network.');
  });
});

describe("a tool with one string", () => {
  const texts: readonly [string, SchemaInput | undefined, JsonObject][] = [
    ["without a schema", undefined, { type: "string" }],
    [
      "a Zod string",
      z.string().min(2).describe("A word"),
      { type: "string", minLength: 2, description: "A word" },
    ],
    [
      "a JSON Schema of a string",
      { type: "string", title: "Word", minLength: 2 },
      { type: "string", minLength: 2 },
    ],
  ];
  test.each(texts)("%s: the model writes it as input, and run gets it", async (_name, schema, input) => {
    const it = echo(schema);
    expect(it.parameters).toMatchObject({ type: "object", properties: { input }, required: ["input"] });
    expect(await toldBy(it, { input: "mill" })).toBe("mill");
    expect(await invoke(it, "mill")).toBe("mill");
    expect(await eventsOf(it, { input: 7 })).toMatchObject([{ error: { issues: [{ pointer: "/input" }] } }]);
    expect(await eventsOf(it, {})).toMatchObject([
      { error: { code: "invalid_input", message: expect.stringContaining("input") as string } },
    ]);
  });
});

describe("tool() rejects a schema of", () => {
  const refused: readonly [string, SchemaInput, string][] = [
    ["a number", z.number(), '"type":"number"'],
    ["an array", z.array(z.string()), '"type":"array"'],
    ["anything", z.unknown(), "{}"],
    ["an object or nothing", z.object({}).nullable(), '"anyOf"'],
    ["an empty choice", { anyOf: [] }, '"anyOf":[]'],
    ["a choice with something else", z.union([z.object({}), z.string()]), '"anyOf"'],
    ["a union", z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]), '"anyOf"'],
    [
      "a discriminated union",
      z.discriminatedUnion("a", [z.object({ a: z.literal(1) }), z.object({ a: z.literal(2) })]),
      '"oneOf"',
    ],
    ["several objects in JSON Schema", { type: "object", oneOf: [city, { required: ["zip"] }] }, '"oneOf"'],
    ["a reference to nothing", { $ref: "#/$defs/Gone" }, "#/$defs/Gone"],
    ["a date, which JSON Schema cannot express", z.object({ at: z.date() }), "Date"],
    ["a number instead of a schema", 7 as unknown as SchemaInput, "Zod"],
  ];
  test.each(refused)("%s", (_name, schema, reason) => {
    expect(() => echo(schema)).toThrow(reason);
    expect(() => echo(schema)).toThrow(expect.objectContaining({ code: "invalid_tool", tool: "echo" }));
  });
});

describe("injected arguments", () => {
  interface User {
    readonly user: string;
  }
  const greet = tool({
    name: "greet",
    schema: z.strictObject({ greeting: z.string(), user: z.string().min(3), note: z.string().optional() }),
    inject: {
      user: ({ context }: ToolRuntime<User>) => context.user,
      id: (runtime) => Promise.resolve(runtime.toolCallId),
    },
    run: (args) => args,
  });

  // G-agent-1
  test("are not in the parameters for the model", () => {
    expect(greet.parameters).toMatchObject({ required: ["greeting"], additionalProperties: false });
    expect(Object.keys(greet.parameters["properties"] as JsonObject)).toEqual(["greeting", "note"]);
    expect(greet).not.toHaveProperty("schema"); // parameters are what checks a call as the model writes it
  });

  test("are added, whether the schema has them or not", async () => {
    expect(await toldBy(greet, { greeting: "Hi" }, { context: { user: "Ann" } })).toBe(
      '{"greeting":"Hi","user":"Ann","id":"call_1"}',
    );
  });

  // G-agent-1
  test("are never taken from the arguments of the model", async () => {
    const args = { greeting: "Hi", user: "Eve", id: "7" };
    expect(await toldBy(greet, args, { context: { user: "Ann" } })).toBe(
      '{"greeting":"Hi","user":"Ann","id":"call_1"}',
    );
    expect(args).toEqual({ greeting: "Hi", user: "Eve", id: "7" });
  });

  test("are validated with the others, and their issues are not sent to the model", async () => {
    const [event] = await eventsOf(greet, { greeting: "Hi" }, { context: { user: "Al" } });
    expect(event).toMatchObject({
      type: "error",
      message: { content: [{ text: 'The tool "greet" failed.' }] },
      error: { code: "injection", issues: [{ pointer: "/user" }] },
    });
  });

  test("whose function fails are an error of the tool", async () => {
    const it = tool({
      name: "it",
      schema: z.object({}),
      inject: {
        user: () => {
          throw new Error("no user");
        },
      },
      run: () => "never",
    });
    expect(await toldBy(it)).toMatch(/"it".*: no user$/);
  });

  test("are removed from every part of an intersection", () => {
    const schema = z.intersection(
      z.object({ a: z.string(), id: z.string() }),
      z.object({ b: z.string(), id: z.string() }),
    );
    const { parameters } = tool({ name: "it", schema, inject: { id: () => "1" }, run: () => "" });
    expect(JSON.stringify(parameters)).not.toContain('"id"');
  });

  test("may have values that are not JSON", async () => {
    const at = new Map([["a", 1]]);
    const it = tool({
      name: "it",
      schema: { type: "object", additionalProperties: false },
      inject: { at: () => at },
      run: (args) => args.at === at,
    });
    expect(await invoke(it, {})).toBe(true);
  });

  test("may not be missing if the schema requires them", async () => {
    const schema = { type: "object", properties: { id: { type: "string" } }, required: ["id"] };
    const it = tool({ name: "it", schema, inject: { id: () => undefined }, run: () => "" });
    await expect(invoke(it, {})).rejects.toMatchObject({ code: "injection", issues: [{ pointer: "" }] });
  });

  test("require an object schema", async () => {
    expect(() => tool({ name: "it", inject: { user: () => "Ann" }, run: () => "" })).toThrow(ToolError);
    const it = tool({
      name: "it",
      schema: z.object({ a: z.string() }).transform(({ a }) => a),
      inject: { user: () => "Ann" },
      run: () => "",
    });
    await expect(invoke(it, { a: "" })).rejects.toMatchObject({ code: "injection" });
  });
});

test("arguments that are not an object are invalid input", async () => {
  const it = tool({ name: "it", schema: z.object({ a: z.string() }), inject: { b: () => 1 }, run: () => "" });
  expect(await eventsOf(it, [1] as never)).toMatchObject([{ error: { code: "invalid_input" } }]);
  expect(await eventsOf(it, 7 as never)).toMatchObject([{ error: { code: "invalid_input" } }]);
});

// G-parsers-12
test("a property named __proto__ is kept", async () => {
  const args = JSON.parse('{"__proto__": {"admin": true}}') as JsonObject;
  const it = tool({
    name: "it",
    schema: { type: "object" },
    inject: { user: () => "Ann" },
    run: (input) => [Object.keys(input), (input as { admin?: boolean }).admin ?? null],
  });
  expect(await toldBy(it, args)).toBe('[["__proto__","user"],null]');
});

test.each([
  [null, "null"],
  [undefined, "undefined"],
  [[1], "an array"],
  [5, "a number"],
])("arguments that are no object are not read as an empty one: %j", async (args, kind) => {
  let runs = 0;
  const schema = { type: "object", properties: { n: { type: "number" } } } as const;
  const it = tool({ name: "it", schema, run: () => ++runs });
  const message = expect.stringContaining(`Expected an object, but got ${kind}.`) as string;
  await expect(it.invoke(args as never)).rejects.toMatchObject({ code: "invalid_input", message });
  const [event] = await collect(runTool(it, { id: "1", name: "it", args: args as never }));
  expect(event).toMatchObject({ type: "error", error: { code: "invalid_input" } });
  expect(runs).toBe(0);
});
