import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { collect, from, type JsonObject, type JsonValue, pipe, toolCallsParser } from "millrace";

const weather = {
  name: "weather",
  schema: z.object({ city: z.string(), days: z.int().default(1) }),
} as const;
const save = { name: "save", parameters: { type: "object" } } as const;

test("calls have the types of their tools", async () => {
  const parser = toolCallsParser({ tools: [weather, save] });
  const [calls] = await collect(pipe(from<string>([]), parser.final));
  const call = calls?.[0];
  if (call?.name === "weather") expectTypeOf(call.args).toEqualTypeOf<{ city: string; days: number }>();
  if (call?.name === "save") expectTypeOf(call.args).toEqualTypeOf<JsonObject>();

  const [parts] = await collect(pipe(from<string>([]), parser.stream));
  const part = parts?.[0];
  if (part?.name === "weather") {
    expectTypeOf(part.args.city).toEqualTypeOf<string | undefined>();
    expectTypeOf(part.complete).toEqualTypeOf<boolean>();
  }
});

test("name selects a tool, firstOnly one call, returnId adds the id", async () => {
  const parser = toolCallsParser({
    tools: [weather, save],
    name: "weather",
    firstOnly: true,
    returnId: true,
  });
  const [call] = await collect(pipe(from<string>([]), parser.final));
  expectTypeOf(call?.args.city).toEqualTypeOf<string | undefined>();
  expectTypeOf(call?.id).toEqualTypeOf<string | undefined>();
});

test("without tools a call has any name and arguments", () => {
  const calls = toolCallsParser().parse("");
  expectTypeOf(calls[0]?.name).toEqualTypeOf<string | undefined>();
  expectTypeOf(calls[0]?.args["a"]).toEqualTypeOf<JsonValue | undefined>();
});

test("partial calls cannot be changed", async () => {
  const [parts] = await collect(pipe(from<string>([]), toolCallsParser({ tools: [weather] }).stream));
  // @ts-expect-error the list is read-only
  const push: unknown = parts?.push;
  expectTypeOf(push).toBeUnknown();
  // @ts-expect-error partial arguments are read-only
  if (parts?.[0]) parts[0].args.city = "Oslo";
});

test("keyName has the arguments alone, a schema any name", () => {
  const [args] = toolCallsParser({ tools: [weather, save], keyName: "weather" }).parse("");
  expectTypeOf(args).toEqualTypeOf<{ city: string; days: number } | undefined>();
  const [call] = toolCallsParser({ tools: [weather.schema] }).parse("");
  expectTypeOf(call?.args).toEqualTypeOf<{ city: string; days: number } | undefined>();
});
