import { collect, createAgent, ModelError, tool } from "millrace";
import {
  AgentError,
  modelCallLimit,
  modelRetry,
  toolCallLimit,
  type ToolCallLimitOptions,
} from "millrace/agent";
import { scriptedModel } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { inShort } from "../../agent/support/conversation.js";
import { noTime } from "../../agent/support/no-time.js";
import { answers, call, ofType } from "../../agent/support/script.js";

describe("modelCallLimit", () => {
  const think = tool({ name: "think", run: () => "hm" });
  const endless = (): ReturnType<typeof scriptedModel> =>
    scriptedModel(({ index }) => call(String(index), "think", '{"input": ""}'));

  test("ends the run instead of the first call over the limit", async () => {
    const model = endless();
    const agent = createAgent({ model, tools: [think], middleware: [modelCallLimit({ maxPerRun: 2 })] });
    const [finish] = ofType(await collect(agent.stream("Think.")), "finish");
    expect(finish?.reason).toBe("ended");
    expect(finish?.state.status).toBe("finished");
    // Every call is answered, so the conversation can continue.
    expect(finish?.state.messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
      "tool",
    ]);
    expect(model.calls).toHaveLength(2);
  });

  test("with onLimit: error, fails with a state to resume from", async () => {
    const limit = modelCallLimit({ maxPerRun: 2, onLimit: "error" });
    const agent = createAgent({ model: endless(), tools: [think], middleware: [limit] });
    const error: unknown = await agent.invoke("Think.").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AgentError);
    expect(error).toMatchObject({ code: "limit", state: { step: 2, status: "running" } });
  });

  test("counts each run separately, also simultaneous ones", async () => {
    const model = endless();
    const agent = createAgent({ model, tools: [think], middleware: [modelCallLimit({ maxPerRun: 2 })] });
    const results = await Promise.all([agent.invoke("a"), agent.invoke("b"), agent.invoke("c")]);
    expect(results.map(({ state }) => state.step)).toEqual([2, 2, 2]);
  });

  test("counts the attempts of an outer modelRetry()", async () => {
    const model = scriptedModel(() => {
      throw new ModelError("network", "No answer.", { retryable: true });
    });
    const middleware = [modelRetry({ maxRetries: 9, clock: noTime }), modelCallLimit({ maxPerRun: 3 })];
    await expect(createAgent({ model, middleware }).invoke("Hi")).rejects.toMatchObject({ code: "limit" });
    expect(model.calls).toHaveLength(3);
  });

  test("rejects an invalid maxPerRun", () => {
    expect(() => modelCallLimit({ maxPerRun: 0 })).toThrow(RangeError);
  });
});

describe("toolCallLimit", () => {
  /** The model calls `search` twice and `note` once in one message, then answers "Done.". */
  function agentWith(options: ToolCallLimitOptions, ran: string[] = []): ReturnType<typeof createAgent> {
    const tools = ["search", "note"].map((name) =>
      tool({ name, run: (input) => ran.push(`${name} ${input}`) && "ok" }),
    );
    const model = answers([
      [
        ...call("1", "search", '{"input": "a"}'),
        ...call("2", "search", '{"input": "b"}'),
        ...call("3", "note", '{"input": "c"}'),
      ],
      ["Done."],
    ]);
    return createAgent({ model, tools, middleware: [toolCallLimit(options)] });
  }

  test("answers a call over the limit with an error, and the run continues", async () => {
    const ran: string[] = [];
    const { messages } = await agentWith({ tools: ["search"], maxPerRun: 1 }, ran).invoke("Go.");
    expect(ran).toEqual(["search a", "note c"]);
    expect(inShort(messages).slice(2)).toEqual([
      "tool#1 success | ok",
      expect.stringMatching(/^tool#2 error \| .*"search".*limit/),
      "tool#3 success | ok",
      "assistant | Done.",
    ]);
  });

  test("without tools, counts the calls of all tools", async () => {
    const ran: string[] = [];
    await agentWith({ maxPerRun: 2 }, ran).invoke("Go.");
    expect(ran).toEqual(["search a", "search b"]);
  });

  test("with onLimit: end, ends the run after the step with every call answered", async () => {
    const events = await collect(agentWith({ maxPerRun: 1, onLimit: "end" }).stream("Go."));
    const [finish] = ofType(events, "finish");
    expect(finish?.reason).toBe("ended");
    expect(finish?.state.messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "tool",
      "tool",
    ]);
  });

  test("does not end a run within the limit", async () => {
    const events = await collect(agentWith({ maxPerRun: 3, onLimit: "end" }).stream("Go."));
    expect(ofType(events, "finish")[0]?.reason).toBe("answer");
  });

  test("with onLimit: error, fails", async () => {
    const run = agentWith({ tools: ({ name }) => name === "note", maxPerRun: 0, onLimit: "error" }).invoke(
      "Go.",
    );
    await expect(run).rejects.toMatchObject({ name: "AgentError", code: "limit" });
  });

  test("counts each run separately", async () => {
    const ran: string[] = [];
    const search = tool({ name: "search", run: (input) => ran.push(input) && "ok" });
    const model = scriptedModel(({ messages }) =>
      messages.at(-1)?.role === "tool" ? ["Done."] : call("1", "search", '{"input": "a"}'),
    );
    const agent = createAgent({ model, tools: [search], middleware: [toolCallLimit({ maxPerRun: 1 })] });
    await agent.invoke("Go.");
    await agent.invoke("Go.");
    expect(ran).toEqual(["a", "a"]);
  });
});
