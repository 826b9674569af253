import { collect, from, invoke, map, pipe, tool, toolCallsParser, type ToolRuntime } from "millrace";
import { ToolError } from "millrace/agent";
import { operatorLaws, spySource } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { turn } from "../../stream/support/hand-fed.js";
import { forever } from "../support.js";

// G-stream-1
describe("a tool", () => {
  test("has its options and defaults as fields", () => {
    const it = tool({ name: "it", run: () => "" });
    expect({ ...it }).toMatchObject({ name: "it", returnDirect: false, output: "content" });
    for (const absent of ["description", "schema", "strict", "extras", "timeout", "concurrency"])
      expect(it).not.toHaveProperty(absent);
    const all = {
      name: "it",
      description: "Does it.",
      strict: true,
      extras: { cache_control: { type: "ephemeral" } },
      returnDirect: true,
      output: "content_and_artifact",
      timeout: 5,
      concurrency: 2,
    } as const;
    expect({ ...tool({ ...all, run: () => ["", 1] }) }).toMatchObject(all);
  });

  test.each(["a", "A-1_b", "x".repeat(64)])("can have the name %s", (name) => {
    expect(tool({ name, run: () => "" }).name).toBe(name);
  });

  test("has the name of its function, if no name is given", () => {
    function search({ input }: { input: string }): string {
      return `found ${input}`;
    }
    const found = tool({ run: search as never });
    expect(found.name).toBe("search");
    expect(() => tool({ run: () => "" })).toThrow(/name of a tool must be/);
  });

  test("can be invoked, with its context, and rejects with the error of the run", async () => {
    const double = tool({
      name: "double",
      schema: z.object({ n: z.number() }),
      run: ({ n }, { context }: ToolRuntime<{ add: number }>) => 2 * n + context.add,
    });
    expect(await double.invoke({ n: 4 }, { context: { add: 1 } })).toBe(9);
    await expect(double.invoke({ n: "four" } as never)).rejects.toMatchObject({ code: "invalid_input" });
  });

  test.each(["", "a b", "a.b", "é", "a\n", "x".repeat(65)])("cannot have the name %j", (name) => {
    const make = (): unknown => tool({ name, run: () => "" });
    expect(make).toThrow(ToolError);
    expect(make).toThrow(JSON.stringify(name));
    expect(make).toThrow(expect.objectContaining({ code: "invalid_tool", tool: name }));
  });

  test.each([{ timeout: -1 }, { timeout: NaN }, { concurrency: 0 }, { concurrency: 1.5 }])(
    "rejects %j",
    (limits) => {
      expect(() => tool({ name: "it", run: () => "", ...limits })).toThrow(RangeError);
    },
  );

  test("works with toolCallsParser()", () => {
    const weather = tool({
      name: "weather",
      schema: z.object({ city: z.string(), days: z.int().default(1) }),
      run: () => "",
    });
    const ask = tool({ name: "ask", run: () => "" });
    const own = tool({
      name: "own",
      schema: z.object({ user: z.string() }),
      inject: { user: () => "Ann" },
      run: () => "",
    });
    const parser = toolCallsParser({ tools: [weather, ask, own] });
    const call = (name: string, args: object): never =>
      ({ role: "assistant", content: [{ type: "tool_call", id: "1", name, args }] }) as never;
    expect(parser.parse(call("weather", { city: "Oslo" }))).toEqual([
      { name: "weather", args: { city: "Oslo", days: 1 } },
    ]);
    expect(parser.parse(call("ask", { input: "?" }))).toEqual([{ name: "ask", args: { input: "?" } }]);
    expect(parser.parse(call("own", {}))).toEqual([{ name: "own", args: {} }]);
    expect(() => parser.parse(call("ask", {}))).toThrow("ask");
  });
});

describe("a tool is an operator", () => {
  const double = tool({
    name: "double",
    schema: z.object({ n: z.number() }),
    run: async ({ n }, { emit }) => {
      emit("working");
      await Promise.resolve();
      return 2 * n;
    },
  });

  for (const law of operatorLaws(() => double, { inputs: [{ n: 1 }, { n: 2 }, { n: 3 }] })) {
    test.concurrent(law.name, () => law.check());
  }
  const generating = tool({
    name: "generating",
    async *run(text) {
      yield 1;
      yield await Promise.resolve(2);
      return text;
    },
  });
  for (const law of operatorLaws(() => generating, { inputs: ["a", "b", "c"] })) {
    test.concurrent(`with progress: ${law.name}`, () => law.check());
  }

  test("it yields the result for each input, in a pipeline with other stages", async () => {
    const inputs = from([1, 2]);
    expect(
      await collect(
        pipe(
          inputs,
          map((n) => ({ n })),
          double,
          map((n) => String(n)),
        ),
      ),
    ).toEqual(["2", "4"]);
    expect(await invoke(generating, "mill")).toBe("mill");
    expect(await collect(pipe(from(["a"]), tool({ name: "it", run: () => undefined })))).toEqual([undefined]);
  });

  test("its errors are thrown for any onError, and close the source", async () => {
    const error = new Error("no network");
    const failing = tool({ name: "it", run: () => Promise.reject(error), onError: "Sorry." });
    const source = spySource(["a", "b"]);
    await expect(collect(pipe(source, failing))).rejects.toBe(error);
    expect([source.pulls, source.returns]).toEqual([1, 1]);
    await expect(invoke(double, { n: "1" } as never)).rejects.toMatchObject({ code: "invalid_input" });
  });

  test("it takes a context and a signal", async () => {
    const whoami = tool({
      name: "it",
      run: (_text, { context, toolCallId }: ToolRuntime<string>) => context + toolCallId,
    });
    expect(await collect(whoami(from(["?"]), { context: "Ann" }))).toEqual(["Ann"]);
    const stop = new AbortController();
    const hanging = tool({ name: "it", run: forever });
    const source = spySource(["a"]);
    const results = collect(hanging(source, { signal: stop.signal }));
    await turn();
    stop.abort("enough");
    await expect(results).rejects.toBe("enough");
    expect(source.returns).toBe(1);
  });

  test("leaving it aborts the current run without waiting for a tool that ignores the signal", async () => {
    let signal: AbortSignal | undefined;
    const hanging = tool({
      name: "it",
      run: (_text, runtime) => {
        ({ signal } = runtime);
        return forever();
      },
    });
    const results = hanging(from(["a"]))[Symbol.asyncIterator]();
    void results.next();
    await turn();
    await results.return?.();
    expect(signal?.aborted).toBe(true);
  });
});
