import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import {
  type CallOptions,
  user,
  type MessageChunk,
  MessageError,
  type MessagesInput,
  ModelError,
  textOf,
  toMessages,
} from "millrace";
import { generate, GenerateError, LLMResult } from "millrace/models";
import { scriptedModel, spySource, type SpySource } from "millrace/testing";

const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve);
  });
const text = (delta: string): MessageChunk => ({ content: [{ type: "text", text: delta, index: 0 }] });
const end = (totalTokens: number): MessageChunk => ({
  content: [],
  finishReason: "stop",
  usage: { totalTokens, details: { reasoningTokens: 1 } },
});

/** A model whose answers are sources that log calls of their methods. */
function spyModel(answer: (prompt: string, index: number) => SpySource<MessageChunk>) {
  const streams: SpySource<MessageChunk>[] = [];
  const calls: (CallOptions | undefined)[] = [];
  const model = {
    ...scriptedModel([]),
    stream(input: MessagesInput, options?: CallOptions) {
      calls.push(options);
      const [message] = toMessages(input);
      const stream = answer(message === undefined ? "" : textOf(message), streams.length);
      streams.push(stream);
      return stream;
    },
  };
  return { model, streams, calls };
}

async function failure(result: Promise<unknown>): Promise<unknown> {
  const nothing = {};
  const error: unknown = await result.then(
    () => nothing,
    (reason: unknown) => reason,
  );
  if (error === nothing) throw new Error("expected a failure");
  return error;
}

describe("generate", () => {
  test("returns prompts by candidates, with one request each", async () => {
    const model = scriptedModel(({ index, messages }) => [
      `${messages.map(textOf).join("+")} `,
      `${index}`,
      end(1),
    ]);
    const result = await generate(model, ["a", [user("b"), "c"], user("d")], { n: 2 });
    expect(result).toBeInstanceOf(LLMResult);
    expect(result.generations.map((candidates) => candidates.map((one) => one.text))).toEqual([
      ["a 0", "a 1"],
      ["b+c 2", "b+c 3"],
      ["d 4", "d 5"],
    ]);
    expect(result.generations[0]?.[0]?.message).toEqual({
      role: "assistant",
      content: [{ type: "text", text: "a 0" }],
      finishReason: "stop",
      usage: { totalTokens: 1, details: { reasoningTokens: 1 } },
    });
  });

  test("sums the usage, and keeps the usage of each message", async () => {
    const result = await generate(
      scriptedModel(({ index }) => ["x", end(index)]),
      ["a", "b"],
      { n: 2 },
    );
    expect(result.usage).toEqual({ totalTokens: 6, details: { reasoningTokens: 4 } });
    expect(result.providerOutput).toEqual({ provider: "scripted", model: "scripted", usage: result.usage });
    expect(result.generations.flat().map(({ message }) => message.usage?.totalTokens)).toEqual([0, 1, 2, 3]);
    const flat = result.flatten().map(({ usage }) => usage?.totalTokens ?? 0);
    expect(flat.reduce((sum, tokens) => sum + tokens)).toBe(6);
  });

  test("omits usage and run ids if there are none", async () => {
    const result = await generate(scriptedModel(["x"]), ["a"]);
    expect(result.providerOutput).toEqual({ provider: "scripted", model: "scripted" });
    expect(result.runIds).toBeUndefined();
    expect((await generate(scriptedModel(["x"]), [])).generations).toEqual([]);
  });

  test("names the runs, one for each prompt", async () => {
    const createRunId = (prompt: number): string => `run-${prompt}`;
    expect((await generate(scriptedModel(["x"]), ["a", "b"], { n: 2, createRunId })).runIds).toEqual([
      "run-0",
      "run-1",
    ]);
  });

  test("passes only the options of the call to the model", async () => {
    const { model, calls } = spyModel(() => spySource([end(1)]));
    await generate(model, ["a"], { n: 1, concurrency: 2, temperature: 0.5, extra: { user: "u" } });
    const [call] = calls;
    expect(call).toEqual({ temperature: 0.5, extra: { user: "u" }, signal: call?.signal });
    expect(call?.signal).toBeInstanceOf(AbortSignal);
  });

  test("returns the results in the order of the prompts", async () => {
    const { model } = spyModel((prompt) =>
      spySource([text(prompt), end(1)], {
        pace: async () => {
          for (let i = "cba".indexOf(prompt); i >= 0; i--) await turn();
        },
      }),
    );
    const { generations } = await generate(model, ["a", "b", "c"]);
    expect(generations.map((candidates) => candidates.map((one) => one.text))).toEqual([["a"], ["b"], ["c"]]);
  });

  test.each([1, 2, 4])("sends no more than %i requests at the same time", async (concurrency) => {
    let most = 0;
    const { model, streams } = spyModel(() =>
      spySource([text("x"), end(1)], {
        pace: async () => {
          await turn();
          most = Math.max(most, streams.filter(({ open }) => open > 0).length);
        },
      }),
    );
    await generate(model, ["a", "b", "c"], { n: 3, concurrency });
    expect(streams).toHaveLength(9);
    expect(most).toBe(concurrency);
  });

  test("ends at the first failure: closes the other streams and sends no more requests", async () => {
    const cause = new ModelError("provider", "overloaded", { retryable: true });
    const { model, streams } = spyModel((prompt, index) =>
      index === 2
        ? spySource([text("x")], { then: { error: cause }, pace: turn })
        : spySource([text(prompt)], { then: index === 0 ? "end" : "hang" }),
    );
    const error = await failure(generate(model, ["a", "b"], { n: 4, concurrency: 3 }));
    expect(error).toBeInstanceOf(GenerateError);
    expect(error).toMatchObject({
      code: "request_failed",
      message: expect.stringContaining("overloaded") as string,
      prompt: 0,
      candidate: 2,
      finished: [{ prompt: 0, candidate: 0, generation: { text: "a" } }],
    });
    expect((error as GenerateError).cause).toBe(cause);
    await turn();
    // The first was ready immediately, so a fourth request had been sent.
    expect(streams.map(({ returns }) => returns)).toEqual([0, 1, 0, 1]);
    expect(streams.flatMap(({ faults }) => faults)).toEqual([]);
  });

  test("names the prompt that is not valid", async () => {
    const error = await failure(generate(scriptedModel(["x"]), ["a", { role: "nobody" } as never]));
    expect(error).toMatchObject({ prompt: 1, candidate: 0 });
    expect((error as GenerateError).cause).toBeInstanceOf(MessageError);
  });

  test("closes all streams on abort, and rejects with the signal's reason", async () => {
    const { model, streams } = spyModel(() => spySource([text("x")], { then: "hang" }));
    const controller = new AbortController();
    const reason = new Error("enough");
    const result = failure(generate(model, ["a", "b", "c"], { concurrency: 2, signal: controller.signal }));
    await turn();
    controller.abort(reason);
    expect(await result).toBe(reason);
    await turn();
    expect(streams.map(({ returns }) => returns)).toEqual([1, 1]);
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });

  test("sends nothing if the signal is already aborted", async () => {
    const { model, streams } = spyModel(() => spySource([]));
    const reason = new Error("before");
    expect(await failure(generate(model, ["a"], { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(streams).toEqual([]);
  });

  test("removes its listeners, and causes no Node warning with many requests", async () => {
    const warnings: unknown[] = [];
    const onWarning = (warning: unknown): void => void warnings.push(warning);
    process.on("warning", onWarning);
    const controller = new AbortController();
    const { model } = spyModel(() => spySource([text("x"), end(1)], { pace: turn }));
    await generate(model, ["a"], { n: 30, concurrency: 30, signal: controller.signal });
    await turn();
    process.off("warning", onWarning);
    expect(warnings).toEqual([]);
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });

  test("rejects invalid prompts and numbers", async () => {
    const model = scriptedModel(["x"]);
    expect(await failure(generate(model, "Hi" as never))).toBeInstanceOf(TypeError);
    expect(await failure(generate(model, ["a"], { n: 0 }))).toBeInstanceOf(RangeError);
    expect(await failure(generate(model, ["a"], { concurrency: 0 }))).toBeInstanceOf(RangeError);
    expect(model.calls).toEqual([]);
  });
});
