import { describe, expect, test } from "vitest";
import { collect, user, last, mergeChunks, pipe, textOf, toolCallsOf } from "millrace";
import { scriptedModel } from "millrace/testing";

describe("a scripted model", () => {
  test("plays texts and chunks, and adds a finish reason", async () => {
    const reasoning = { content: [{ type: "reasoning", reasoning: "hm" }] } as const;
    expect(await collect(scriptedModel([reasoning, "Hel", "lo"]).stream("Hi"))).toEqual([
      reasoning,
      { content: [{ type: "text", text: "Hel" }] },
      { content: [{ type: "text", text: "lo" }] },
      { content: [], finishReason: "stop" },
    ]);
  });

  test("refuses an item that is neither a text nor a chunk", async () => {
    const model = scriptedModel([["Hi"] as unknown as string]);
    await expect(collect(model.stream("Hi"))).rejects.toThrow('got ["Hi"]');
  });

  test("stops for tool calls in its script, or with the finish reason in its script", async () => {
    const call = { content: [{ type: "tool_call_chunk", id: "1", name: "f", args: "{}" }] } as const;
    const message = await last(pipe(scriptedModel([call]).stream("Hi"), mergeChunks()));
    expect(message?.finishReason).toBe("tool_calls");
    expect(toolCallsOf(message!)).toHaveLength(1);
    const cut = await collect(scriptedModel(["a", { content: [], finishReason: "length" }]).stream("Hi"));
    expect(cut.map((chunk) => chunk.finishReason)).toEqual([undefined, "length"]);
  });

  test("records its calls, and can answer each differently", async () => {
    const model = scriptedModel(({ index, messages }) => [`${index}: ${textOf(messages[0]!)}`]);
    const answers = await Promise.all(
      ["a", "b"].map(async (question) => textOf((await collect(model.stream(question, { seed: 1 })))[0]!)),
    );
    expect(answers).toEqual(["0: a", "1: b"]);
    expect(model.calls).toEqual([
      { index: 0, messages: [user("a")], options: { seed: 1 } },
      { index: 1, messages: [user("b")], options: { seed: 1 } },
    ]);
  });

  test("can fail after some chunks", async () => {
    const failure = new Error("broken");
    const model = scriptedModel(function* () {
      yield "a";
      throw failure;
    });
    const texts: string[] = [];
    const read = async (): Promise<void> => {
      for await (const chunk of model.stream("Hi")) texts.push(textOf(chunk));
    };
    await expect(read()).rejects.toBe(failure);
    expect(texts).toEqual(["a"]);
  });

  test("ends with the reason of the signal, and closes its script", async () => {
    let closed = false;
    const model = scriptedModel(async function* () {
      try {
        yield "a";
        await new Promise(() => {});
      } finally {
        closed = true;
      }
    });
    const controller = new AbortController();
    const read = async (): Promise<void> => {
      for await (const _ of model.stream("Hi", { signal: controller.signal })) controller.abort("enough");
    };
    await expect(read()).rejects.toBe("enough");
    expect(closed).toBe(true);
  });

  test("has default names and capabilities, which options override", () => {
    const model = scriptedModel([], { provider: "p", model: "m", profile: { structuredOutput: false } });
    expect(model).toMatchObject({
      provider: "p",
      model: "m",
      profile: { structuredOutput: false, toolCalling: true },
    });
  });
});
