import { describe, expect, test } from "vitest";
import { collect, type MessageChunk, ModelError, textOf } from "millrace";
import { chatModel } from "millrace/models";
import { replayModel, scriptedModel } from "millrace/testing";
import { allFakes, fakeServer } from "../support/fakes.js";

const transcript = `{"millrace":"transcript","version":1}
{"t":0,"value":{"content":[{"type":"text","text":"Hel"}]}}
{"t":1,"value":{"content":[{"type":"text","text":"lo"}],"finishReason":"stop","usage":{"outputTokens":2}}}
{"t":2,"end":true}`;

describe("invoke returns the whole message", () => {
  test.each(allFakes)("of $name", async (fake) => {
    const server = await fakeServer(
      fake,
      fake.says("Hello"),
      fake.calls({ name: "f", args: ['{"a":', "1}"] }),
    );
    const model = fake.model(server);
    const message = await model.invoke("Greet me.");
    expect(message).toMatchObject({ role: "assistant", finishReason: "stop" });
    expect(textOf(message)).toBe("Hello");
    const tools = [{ name: "f", parameters: { type: "object" } }];
    const { content } = await model.invoke("Call f.", { tools });
    expect(content).toMatchObject([{ type: "tool_call", name: "f", args: { a: 1 } }]);
  });

  test("of a scripted and a replayed model", async () => {
    const scripted = scriptedModel(["Hel", "lo"]);
    expect(textOf(await scripted.invoke("Greet me.", { temperature: 1 }))).toBe("Hello");
    expect(scripted.calls).toMatchObject([{ index: 0, options: { temperature: 1 } }]);
    const message = await replayModel(transcript, { speed: Infinity }).invoke("Greet me.");
    expect(message).toMatchObject({ content: [{ type: "text", text: "Hello" }], usage: { outputTokens: 2 } });
  });

  test("of an answer whose call is cut", async () => {
    const model = scriptedModel([
      { content: [{ type: "tool_call_chunk", id: "1", name: "f", args: '{"a":' }] },
    ]);
    expect((await model.invoke("Hi")).content).toMatchObject([{ type: "invalid_tool_call", name: "f" }]);
  });
});

test("invoke rejects with the error of the stream, or the reason of the signal", async () => {
  const failing = scriptedModel(() => {
    throw new ModelError("http", "Overloaded.", { status: 529 });
  });
  await expect(failing.invoke("Hi")).rejects.toMatchObject({ status: 529 });
  const silent = scriptedModel(() => ({
    [Symbol.asyncIterator]: () => ({ next: () => new Promise<IteratorResult<MessageChunk>>(() => {}) }),
  }));
  const controller = new AbortController();
  const answer = silent.invoke("Hi", { signal: controller.signal });
  controller.abort(new Error("enough"));
  await expect(answer).rejects.toThrow("enough");
});

test("chatModel makes a model of a class whose stream uses its fields", async () => {
  class Echo {
    readonly provider = "mine";
    readonly model = "echo";
    readonly profile = scriptedModel([]).profile;
    async *stream(input: unknown): AsyncGenerator<MessageChunk, undefined, undefined> {
      yield { content: [{ type: "text", text: `${this.model}: ${String(input)}` }] };
    }
  }
  const model = chatModel(new Echo());
  expect(model).toMatchObject({ provider: "mine", model: "echo" });
  expect(textOf(await model.invoke("Hi"))).toBe("echo: Hi");
  expect(await collect(model.stream("Ho"))).toHaveLength(1);
});
