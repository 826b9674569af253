import {
  assistant,
  type ChatModel,
  collect,
  generateText,
  jsonParser,
  type MessageChunk,
  ModelError,
  pipe,
  reasoningOf,
  streamText,
  system,
  textOf,
  tool,
  toolCallsOf,
  user,
} from "millrace";
import type { StreamTextOptions } from "millrace/models";
import { scriptedModel, spySource } from "millrace/testing";
import { describe, expect, expectTypeOf, test, vi } from "vitest";

const usage = { inputTokens: 3, outputTokens: 2 };
const end: MessageChunk = { content: [], finishReason: "stop", usage };
const piece = (text: string): MessageChunk => ({ content: [{ type: "text", text }] });
const answers = (): ReturnType<typeof scriptedModel> => scriptedModel(["Hel", "", "lo", end]);

describe("streamText()", () => {
  test("yields the text in pieces, and has the results of the call", async () => {
    const model = answers();
    const answer = streamText({ model, system: "Be kind.", prompt: "Hi", callOptions: { temperature: 0 } });
    expect(await collect(answer)).toEqual(["Hel", "lo"]);
    expect(await answer.final).toBe("Hello");
    expect(await answer.usage).toEqual(usage);
    expect(await answer.finishReason).toBe("stop");
    expect(await answer.messages).toEqual([user("Hi"), await answer.message]);
    expect(await answer.message).toEqual({ ...assistant("Hello"), finishReason: "stop", usage });
    expect(model.calls).toMatchObject([
      { messages: [system("Be kind."), user("Hi")], options: { temperature: 0 } },
    ]);
  });

  test("sends one request, when something is read", async () => {
    const model = answers();
    const answer = streamText({ model, messages: ["Hi"] });
    await Promise.resolve();
    expect(model.calls).toHaveLength(0);
    const results = await Promise.all([
      answer.final,
      collect(answer),
      answer.usage,
      collect(answer),
      answer.final,
    ]);
    expect(results).toEqual(["Hello", ["Hel", "lo"], usage, ["Hel", "lo"], "Hello"]);
    expect(await collect(answer)).toEqual(["Hello"]);
    expect(model.calls).toHaveLength(1);
  });

  test("gives a late reader the text so far, then the rest", async () => {
    const answer = streamText({ model: scriptedModel(["a", "b", "c", "d"]), prompt: "Hi" });
    const early = answer[Symbol.asyncIterator]();
    expect([await early.next(), await early.next()]).toMatchObject([{ value: "a" }, { value: "b" }]);
    const late = answer[Symbol.asyncIterator]();
    const rest = [
      late.next(),
      early.next(),
      late.next(),
      early.next(),
      late.next(),
      late.next(),
      early.next(),
    ];
    const texts = (await Promise.all(rest)).map(({ value }) => value as string | undefined);
    expect([texts[0], texts[2], texts[4], texts[5]].join("")).toBe("abcd");
    expect([texts[1], texts[3], texts[6]]).toEqual(["c", "d", undefined]);
  });

  test("stops the model when the last reader leaves", async () => {
    const source = spySource([piece("a"), piece("b"), end]);
    const answer = streamText({ model: scriptedModel(() => source), prompt: "Hi" });
    for await (const text of answer) {
      expect(text).toBe("a");
      break;
    }
    expect(source).toMatchObject({ opened: 1, returns: 1, faults: [] });
    await expect(answer.final).rejects.toMatchObject({ name: "AbortError" });
    await expect(collect(answer)).rejects.toMatchObject({ name: "AbortError" });
    expect(await answer.usage).toBeUndefined();
  });

  test("leaves at once while the model is silent", async () => {
    const source = spySource([piece("a")], { then: "hang" });
    const controller = new AbortController();
    const model = scriptedModel(() => source);
    const answer = streamText({ model, prompt: "Hi", signal: controller.signal });
    const reader = answer[Symbol.asyncIterator]();
    await reader.next();
    const waiting = reader.next();
    controller.abort(new Error("Stopped."));
    await expect(waiting).rejects.toThrow("Stopped.");
    await expect(answer.final).rejects.toThrow("Stopped.");
  });

  test("ends with its signal, also if the model ignores it", async () => {
    let asked = 0;
    const next = (): Promise<never> => {
      asked++;
      return new Promise<never>(() => {});
    };
    const deaf: ChatModel = { ...answers(), stream: () => ({ [Symbol.asyncIterator]: () => ({ next }) }) };
    const controller = new AbortController();
    const reading = collect(streamText({ model: deaf, prompt: "Hi", signal: controller.signal }));
    setTimeout(() => {
      controller.abort(new Error("Stopped."));
    });
    await expect(reading).rejects.toThrow("Stopped.");
    expect(asked).toBe(1);
    const late = generateText({ model: deaf, prompt: "Hi", signal: controller.signal });
    await expect(late).rejects.toThrow("Stopped.");
    expect(asked).toBe(1);
  });

  test("reports the error of the model as it is, and the tokens so far", async () => {
    const error = new ModelError("cut", "Cut.", { partial: assistant("Hel") });
    const model = scriptedModel(function* () {
      yield "Hel";
      yield { content: [], usage };
      throw error;
    });
    const answer = streamText({ model, prompt: "Hi" });
    const seen: string[] = [];
    const read = async (): Promise<void> => {
      for await (const text of answer) seen.push(text);
    };
    await expect(read()).rejects.toBe(error);
    expect(seen).toEqual(["Hel"]);
    for (const result of [answer.final, answer.message, answer.messages, answer.finishReason])
      await expect(result).rejects.toBe(error);
    await expect(collect(answer)).rejects.toBe(error);
    expect(await answer.usage).toEqual(usage);
    expect(model.calls).toHaveLength(1);
  });

  test("leaves no rejection unhandled that nobody asked for", async () => {
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    try {
      const model = scriptedModel(() => {
        throw new Error("Down.");
      });
      expect(await streamText({ model, prompt: "Hi" }).usage).toBeUndefined();
      await collect(streamText({ model, prompt: "Hi" })).catch(() => {});
      await generateText({ model, prompt: "Hi" }).catch(() => {});
      await new Promise((resolve) => {
        setTimeout(resolve, 10);
      });
      expect(unhandled).not.toHaveBeenCalled();
    } finally {
      process.off("unhandledRejection", unhandled);
    }
  });

  test("is text for parsers", async () => {
    const answer = streamText({ model: scriptedModel(['{"a": ', "1}"]), prompt: "Hi" });
    expect(await collect(pipe(answer, jsonParser().stream))).toEqual([{}, { a: 1 }]);
    expect(await answer.finishReason).toBe("stop");
  });

  test("has reasoning and calls in the message, and does not run tools", async () => {
    const find = tool({
      name: "find",
      run: () => {
        throw new Error("not run");
      },
    });
    const model = scriptedModel([
      { content: [{ type: "reasoning", reasoning: "Hm." }] },
      "I look.",
      { content: [{ type: "tool_call_chunk", id: "1", name: "find", args: '{"input": "x"}' }] },
    ]);
    const answer = streamText({ model, prompt: "Hi", callOptions: { tools: [find] } });
    expect(await collect(answer)).toEqual(["I look."]);
    const message = await answer.message;
    expect([reasoningOf(message), toolCallsOf(message).length, await answer.finishReason]).toEqual([
      "Hm.",
      1,
      "tool_calls",
    ]);
    expect(model.calls[0]?.options.tools).toHaveLength(1);
  });

  test.each<[what: string, options: object, message: string]>([
    ["no input", {}, "either prompt or messages"],
    ["no model", { prompt: "a", model: {} }, "Expected a model"],
    ["two inputs", { prompt: "a", messages: ["b"] }, "either prompt or messages"],
    ["a name without a provider", { prompt: "a", model: "nobody" }, "nobody"],
    ["tools", { prompt: "a", tools: [] }, "createAgent()"],
    ["a schema", { prompt: "a", schema: {} }, "streamObject()"],
    ["options of the call", { prompt: "a", temperature: 1 }, "callOptions"],
    ["an unknown option of the call", { prompt: "a", callOptions: { heat: 1 } }, "heat"],
    [
      "a signal in the options of the call",
      { prompt: "a", callOptions: { signal: AbortSignal.abort() } },
      "signal",
    ],
    ["a message that is none", { messages: [7] }, "messages[0]"],
  ])("refuses %s", (_, options, message) => {
    expect(() => streamText({ model: answers(), ...options } as object as StreamTextOptions)).toThrow(
      message,
    );
  });
});

describe("generateText()", () => {
  test("waits for the answer", async () => {
    const model = scriptedModel(({ messages }) => [messages.map(textOf).join("+"), end]);
    const first = await generateText({ model, system: system("S"), prompt: "a" });
    expect(first).toEqual({
      text: "S+a",
      message: { ...assistant("S+a"), finishReason: "stop", usage },
      messages: [user("a"), first.message],
      finishReason: "stop",
      usage,
    });
    const { text } = await generateText({ model, messages: [...first.messages, "b"] });
    expect(text).toBe("a+S+a+b");
  });

  test("says that a text is cut", async () => {
    const model = scriptedModel(["Hel", { content: [], finishReason: "length" }]);
    expect(await generateText({ model, prompt: "Hi" })).toMatchObject({
      text: "Hel",
      finishReason: "length",
    });
  });

  test("rejects with the error of the model, and names itself in the error of an option", async () => {
    const error = new ModelError("http", "Bad.", { status: 400 });
    const model = scriptedModel(() => {
      throw error;
    });
    await expect(generateText({ model, prompt: "Hi" })).rejects.toBe(error);
    await expect(generateText({ model, prompt: "Hi", schema: {} } as never)).rejects.toThrow(
      "generateText()",
    );
  });

  test("has types", () => {
    expectTypeOf(generateText).returns.resolves.toHaveProperty("text").toEqualTypeOf<string>();
    expectTypeOf<StreamTextOptions>().not.toExtend<{ signal: AbortSignal }>();
  });
});
