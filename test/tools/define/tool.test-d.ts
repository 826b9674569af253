import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import {
  collect,
  from,
  invoke,
  type JsonObject,
  pipe,
  tool,
  type ToolRuntime,
  toolCallsParser,
} from "millrace";
import type { AnyTool } from "millrace/agent";

interface User {
  readonly name: string;
}
const schema = z.object({ city: z.string(), days: z.int().default(1) });

test("run gets the output of the schema", () => {
  tool({
    name: "weather",
    schema,
    run: (args) => {
      expectTypeOf(args).toEqualTypeOf<{ city: string; days: number }>();
    },
  });
  tool({
    name: "text",
    run: (text) => {
      expectTypeOf(text).toEqualTypeOf<string>();
    },
  });
  tool({
    name: "described_text",
    schema: z.string().describe("A question"),
    run: (text) => {
      expectTypeOf(text.length).toEqualTypeOf<number>();
    },
  });
  tool({
    name: "json_text",
    schema: { type: "string", description: "A question" },
    run: (text) => {
      expectTypeOf(text.length).toEqualTypeOf<number>();
    },
  });
  tool({
    name: "json",
    schema: { type: "object", properties: { city: { type: "string" } } },
    run: (args) => {
      expectTypeOf(args["city"]).toEqualTypeOf<JsonObject[string] | undefined>();
    },
  });
});

test("a tool is an operator from arguments to the results of run", async () => {
  const direct = tool({ name: "direct", schema, run: ({ days }) => days });
  expectTypeOf(await invoke(direct, { city: "Oslo" })).toEqualTypeOf<number | undefined>();
  const promised = tool({ name: "promised", schema, run: ({ city }) => Promise.resolve([city]) });
  expectTypeOf(await collect(pipe(from([{ city: "Oslo" }]), promised))).toEqualTypeOf<string[][]>();
  const showing = tool({
    name: "showing",
    async *run(text) {
      yield 1;
      await Promise.resolve();
      return { text };
    },
  });
  expectTypeOf(await invoke(showing, "mill")).toEqualTypeOf<{ text: string } | undefined>();
  // @ts-expect-error a city is a string
  await invoke(direct, { city: 1 }).catch(() => {});
  // @ts-expect-error this tool takes a text
  await invoke(showing, { text: "mill" }).catch(() => {});
});

test("an injected value is an argument of run and not of the model", async () => {
  const greet = tool({
    name: "greet",
    schema: z.object({ greeting: z.string(), user: z.object({ name: z.string() }) }),
    inject: {
      user: (runtime: ToolRuntime<User>) => runtime.context,
      id: (runtime) => runtime.toolCallId,
      at: () => Promise.resolve(new Date(0)),
    },
    run: ({ greeting, user, id, at }, runtime) => {
      expectTypeOf(user).toEqualTypeOf<{ name: string }>();
      expectTypeOf(id).toEqualTypeOf<string>();
      expectTypeOf(at).toEqualTypeOf<Date>();
      expectTypeOf(runtime.context).toEqualTypeOf<User>();
      return greeting + user.name;
    },
  });
  await collect(greet(from([{ greeting: "Hi" }]), { context: { name: "Ann" } }));
  // @ts-expect-error the context has a name
  greet(from([{ greeting: "Hi" }]), { context: {} });
  expectTypeOf(greet).parameter(0).toEqualTypeOf<AsyncIterable<{ greeting: string }>>();
});

test("the type of run's second parameter sets the type of the context", () => {
  const whoami = tool({ name: "whoami", run: (_text, { context }: ToolRuntime<User>) => context.name });
  whoami(from(["?"]), { context: { name: "Ann" } });
  // @ts-expect-error the context has a name
  whoami(from(["?"]), { context: 1 });
});

test("a list can hold tools of all types, and a changed copy is a tool", () => {
  const one = tool({ name: "one", schema, run: () => 1 });
  const two = tool({ name: "two", run: (text, runtime: ToolRuntime<User>) => text + runtime.context.name });
  expectTypeOf([one, two]).toExtend<AnyTool[]>();
  expectTypeOf({ ...one, description: "The first" }).toExtend<AnyTool>();
});

test("parsed calls have the types of their tools", () => {
  const one = tool({ name: "one", schema, run: () => 1 });
  const two = tool({ name: "two", run: (text) => text });
  const [call] = toolCallsParser({ tools: [one, two] }).parse("");
  if (call?.name === "one") expectTypeOf(call.args).toEqualTypeOf<{ city: string; days: number }>();
  if (call?.name === "two") expectTypeOf(call.args).toEqualTypeOf<JsonObject>();
});
