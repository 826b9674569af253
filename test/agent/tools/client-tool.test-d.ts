import { expectTypeOf, test } from "vitest";
import type { JsonValue } from "millrace";
import { type ClientHandler, type ClientHandlers, clientTool, sharedTool } from "millrace/agent";
import { z } from "zod";

const paint = {
  name: "paint",
  schema: z.object({ colour: z.string(), coats: z.int().default(1) }),
  output: z.object({ ok: z.boolean() }).transform(({ ok }) => String(ok)),
} as const;
const ask = { name: "ask" } as const;

test("a definition types the handlers of a page", () => {
  expectTypeOf<Parameters<ClientHandler<typeof paint>>[0]>().toEqualTypeOf<{
    colour: string;
    coats?: number | undefined;
  }>();
  expectTypeOf<Awaited<ReturnType<ClientHandler<typeof paint>>>>().toEqualTypeOf<{ ok: boolean }>();
  expectTypeOf<Parameters<ClientHandler<typeof ask>>[0]>().toEqualTypeOf<string>();
  expectTypeOf<Awaited<ReturnType<ClientHandler<typeof ask>>>>().toEqualTypeOf<JsonValue>();
  const handlers: ClientHandlers<[typeof paint, typeof ask]> = {
    paint: ({ coats = 1 }) => ({ ok: coats > 1 }),
    ask: (question) => question,
  };
  expectTypeOf(handlers).toHaveProperty("paint");
  // @ts-expect-error: a handler is missing
  const one: ClientHandlers<[typeof paint, typeof ask]> = { ask: () => null };
  // @ts-expect-error: not the result
  const wrong: ClientHandler<typeof paint> = () => ({ ok: 1 });
  expectTypeOf([one, wrong]).toBeArray();
});

test("a definition types the tools of a server", () => {
  expectTypeOf(clientTool(paint).name).toEqualTypeOf<"paint">();
  expectTypeOf(clientTool(paint).invoke({ colour: "red" })).resolves.toEqualTypeOf<string>();
  sharedTool(paint, ({ colour, coats }) => {
    expectTypeOf(colour).toEqualTypeOf<string>();
    expectTypeOf(coats).toEqualTypeOf<number>();
    return "true";
  });
  sharedTool(ask, (question) => {
    expectTypeOf(question).toEqualTypeOf<string>();
    return [question];
  });
  // @ts-expect-error: the output is a string
  sharedTool(paint, () => 1);
});
