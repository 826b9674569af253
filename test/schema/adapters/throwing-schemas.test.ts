import * as v from "valibot";
import { type } from "arktype";
import { collect, from, generateObject, jsonParser, last, MillraceError, patchLines, pipe } from "millrace";
import { guardOf, schemaOf, SchemaError, type SchemaInput } from "millrace/schema";
import { JsonParser } from "millrace/json";
import { scriptedModel } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";

const unreadable = Object.defineProperty(new Error(), "message", {
  get() {
    throw new Error("The message cannot be read.");
  },
});
const revoked = Proxy.revocable({}, {});
revoked.revoke();

/** What a function of a schema may throw, reject with or return. */
const values: readonly (readonly [string, unknown])[] = [
  ["an error", new Error("No such town.")],
  ["null", null],
  ["undefined", undefined],
  ["a string", "No such town."],
  ["a symbol", Symbol("none")],
  ["a revoked proxy", revoked.proxy],
  ["an error whose message cannot be read", unreadable],
  ["an object without a prototype", Object.create(null)],
];

const standard = (validate: (value: unknown) => unknown): SchemaInput => ({
  "~standard": { version: 1, vendor: "test", validate },
});

const throwing: Readonly<Record<string, (fail: () => never, value: unknown) => SchemaInput>> = {
  "a refinement of Zod": (fail) => z.object({ a: z.string().refine(fail) }),
  "an asynchronous refinement of Zod": (fail) => z.object({ a: z.string().refine(async () => fail()) }),
  "a transform of Zod": (fail) => z.object({ a: z.string().transform(fail) }),
  "a default of Zod": (fail) => z.object({ a: z.string(), b: z.string().default(fail) }),
  "a lazy schema of Zod": (fail) => z.object({ a: z.lazy(fail) }),
  "a check of Valibot": (fail) => v.object({ a: v.pipe(v.string(), v.check(fail)) }),
  "a lazy schema of Valibot": (fail) => v.object({ a: v.lazy(fail) }),
  "a morph of ArkType": (fail) => type({ a: ["string", "=>", fail] }),
  "a plain check": (fail) => standard(fail),
  "an asynchronous check": (fail) => standard(async () => fail()),
  "a thenable that throws": (fail) => standard(() => ({ then: fail })),
  "a thenable that rejects": (_, value) =>
    standard(() => ({ then: (_: unknown, reject: (reason: unknown) => void) => reject(value) })),
  "a result that cannot be read": (fail) =>
    standard(() => ({
      get issues() {
        return fail();
      },
    })),
};

const readers: Readonly<Record<string, (schema: SchemaInput) => Promise<unknown>>> = {
  "jsonParser()": (schema) => last(pipe(from(['{"a": "x"}']), jsonParser(schema).final)),
  "jsonParser() without a guard": (schema) =>
    collect(pipe(from(['{"a": "x"}']), jsonParser(schema, { guard: false }).stream)),
  "patchLines()": (schema) =>
    collect(pipe(from(['{"op":"add","path":"","value":{"a":"x"}}\n']), patchLines({ schema }).snapshots)),
  "generateObject()": (schema) =>
    generateObject({ model: scriptedModel(['{"a": "x"}']), schema, prompt: "Where?" }),
};

// G-agent-14
describe.each(Object.entries(throwing))("what %s throws is a typed error", (_, schemaThat) => {
  test.each(values)("%s", async (__, value) => {
    const fail = (): never => {
      throw value;
    };
    for (const [reader, read] of Object.entries(readers)) {
      const thrown: unknown = await read(schemaThat(fail, value)).then(
        () => "nothing",
        (error: unknown) => error,
      );
      expect(thrown, reader).toBeInstanceOf(MillraceError);
    }
  });
});

test("the cause of the error is what was thrown", async () => {
  const cause = new Error("No such town.");
  const fail = (): never => {
    throw cause;
  };
  const thrown: unknown = await last(
    pipe(from(['{"a": "x"}']), jsonParser(z.object({ a: z.string().refine(fail) })).final),
  ).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(SchemaError);
  expect(thrown).toMatchObject({ code: "check_failed", cause });
  expect((thrown as Error).message).toContain("No such town.");
});

test("the result of a thenable is waited for", async () => {
  const schema = schemaOf(
    standard(() => ({
      then: (resolve: (result: unknown) => void) => resolve({ issues: [{ message: "No." }] }),
    })),
  );
  expect(await schema.validate(1)).toEqual({ issues: [{ pointer: "", message: "No." }] });
});

test.each(values)("issues of the wrong kind are a typed error: %s", async (_, value) => {
  for (const issues of value === undefined
    ? [[value]]
    : [value, [value], [{ message: value, path: [value] }]])
    await expect(readers["jsonParser()"]?.(standard(() => ({ issues })))).rejects.toBeInstanceOf(
      MillraceError,
    );
});

test("a JSON Schema of the wrong kind is a typed error", async () => {
  for (const value of [null, undefined, "none", 1, [], revoked.proxy]) {
    const validate = (): unknown => ({ value: 1 });
    const jsonSchema = { input: () => value, output: () => value };
    const schema = { "~standard": { version: 1, vendor: "test", validate, jsonSchema } };
    await expect(readers["generateObject()"]?.(schema)).rejects.toBeInstanceOf(SchemaError);
  }
});

test.each(values)("a ~standard that cannot be read is a typed error: %s", (_, value) => {
  const getter = {
    get "~standard"() {
      throw value;
    },
  };
  for (const schema of [getter, { "~standard": value }, { "~standard": {} }] as SchemaInput[]) {
    expect(() => schemaOf(schema)).toThrow(SchemaError);
    expect(() => new JsonParser({ guard: guardOf(schema) })).toThrow(SchemaError);
  }
});

test("an element that rejects before another one throws is no unhandled rejection", async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", note);
  const element = standard((value) => {
    if (value === 1) return Promise.reject(new Error("late"));
    throw new Error("at once");
  });
  const items = jsonParser(z.any()).items("/a", element);
  await collect(pipe(from(['{"a": [1, 2]}']), items)).catch(() => undefined);
  await new Promise((resolve) => {
    setTimeout(resolve, 5);
  });
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});
