import { collect, createAgent, type Message, tool, user } from "millrace";
import { agentTool, clientTool, humanApproval, toolStrategy } from "millrace/agent";
import { fromUiMessages, toUiMessages, toUiMessageStream, type UiMessage } from "millrace/serve";
import { scriptedModel } from "millrace/testing";
import { memoryThreads, thread, type Thread } from "millrace/thread";
import { describe, expect, test } from "vitest";
import { answers, call } from "../../agent/support/script.js";
import { recipe, recipeAgent } from "../ag-ui/ag-ui-conversation.js";
import { readUIMessageStream } from "./untyped-ai-sdk.js";

const partsOf = (messages: readonly UiMessage[]): readonly object[] => messages.at(-1)?.parts ?? [];

/** The parts that the AI SDK has after a run, without fields that are undefined. */
async function livePartsOf(
  agent: Pick<ReturnType<typeof recipeAgent>, "stream">,
): Promise<readonly object[]> {
  const text = await toUiMessageStream(agent.stream("Hi")).text();
  const chunks = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json = ""]) => JSON.parse(json) as unknown);
  let last: unknown;
  const stream = new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  for await (const message of readUIMessageStream({ stream, terminateOnError: true })) last = message;
  const { parts } = JSON.parse(JSON.stringify(last)) as UiMessage;
  return parts.map(({ ...part }) => {
    if (part.type === "reasoning" && "id" in part) delete part.id;
    return part;
  });
}

describe("toUiMessages()", () => {
  test("shows what the page had before", async () => {
    const live = await livePartsOf(recipeAgent(false));
    const { state } = await recipeAgent(false).invoke("Hi");
    const [, answer] = toUiMessages(state);
    // The response as the model wrote it, without the defaults of the schema.
    const data = { title: "Tea", steps: ["boil", "pour"] };
    expect(live.at(-1)).toMatchObject({ type: "data-structured", data });
    expect(answer?.parts).toEqual([
      ...live.slice(0, -1),
      { type: "data-structured", id: "structured", data },
    ]);
  });

  test("shows what the page had before: images of the model", async () => {
    const agent = (): ReturnType<typeof createAgent> =>
      createAgent({
        model: scriptedModel([
          "Here.",
          { content: [{ type: "image", data: "AA==", mimeType: "image/png" }] },
        ]),
      });
    const live = await livePartsOf(agent());
    const { state } = await agent().invoke("Hi");
    expect(live).toEqual(partsOf(toUiMessages(state)));
    expect(live.at(-1)).toEqual({ type: "file", mediaType: "image/png", url: "data:image/png;base64,AA==" });
  });

  test("gives back the conversation that the agent had", async () => {
    const model = answers([call("1", "clock", '{"input": ""}'), ["It is noon."]]);
    const agent = createAgent({ model, tools: [tool({ name: "clock", run: () => ({ hour: 12 }) })] });
    const { state } = await agent.invoke([{ role: "user", content: "Time?", id: "u" }]);
    const { messages } = await createAgent({ model: scriptedModel(["End."]) }).invoke(
      fromUiMessages({ messages: JSON.parse(JSON.stringify(toUiMessages(state))) as never }),
    );
    const comparable = ({ role, content }: Message): object => ({ role, content });
    expect(messages.slice(0, -1).map(comparable)).toEqual(state.messages.map(comparable));
    expect(messages[0]).toMatchObject({ id: "u" });
  });

  test("sends a response that came as text only once", async () => {
    const model = scriptedModel(['{"title": "Tea", "steps": []}']);
    const { state } = await createAgent({ model, responseFormat: recipe }).invoke("Tea");
    const messages = toUiMessages(state);
    expect(partsOf(messages).map((part) => ("type" in part ? part.type : ""))).toEqual([
      "step-start",
      "text",
      "data-structured",
    ]);
    const [, answer] = fromUiMessages({ messages: JSON.parse(JSON.stringify(messages)) as never });
    expect(answer).toMatchObject({ content: [{ type: "text" }] });
    expect(answer?.content).toHaveLength(1);
  });

  test("names messages by their ids or places, and answers by their questions", () => {
    const answer: Message = {
      role: "assistant",
      content: [{ type: "text", text: "A" }],
      finishReason: "stop",
    };
    const messages = [user("One"), answer, { ...user("Two"), id: "u" }, answer, answer];
    expect(toUiMessages(messages).map(({ id, role }) => [id, role])).toEqual([
      ["m0", "user"],
      ["m0-answer", "assistant"],
      ["u", "user"],
      ["u-answer", "assistant"],
    ]);
    expect(toUiMessages([answer])).toMatchObject([{ id: "m-answer" }]);
    expect(toUiMessages([])).toEqual([]);
  });

  test("asks for approvals, also inside a call, and leaves calls of the page to it", async () => {
    const pay = tool({ name: "pay", run: () => "paid" });
    const inner = createAgent({
      model: answers([call("9", "pay", '{"input": "7"}')]),
      tools: [pay],
      middleware: [humanApproval()],
    });
    const tools = [
      pay,
      clientTool({ name: "paint" }),
      agentTool(inner, { name: "clerk", description: "Pays." }),
    ];
    const script = [
      ...call("1", "pay", '{"input": "1"}'),
      ...call("2", "paint", '{"input": "red"}'),
      ...call("3", "clerk", '{"input": "Pay."}'),
    ];
    const agent = createAgent({
      model: answers([script]),
      tools,
      middleware: [humanApproval({ tools: ["pay"] })],
    });
    const { state } = await agent.invoke("Hi");
    const own = { ...state, messages: state.messages };
    const [innerId] = Object.values(state.saved ?? {}).flatMap((saved) =>
      JSON.stringify(saved).match(/[\w-]*9[\w-]*(?=","name":"pay")/g),
    );
    expect(partsOf(toUiMessages(own)).slice(1)).toEqual([
      {
        type: "tool-pay",
        toolCallId: "1",
        state: "approval-requested",
        input: { input: "1" },
        approval: { id: "1" },
      },
      { type: "tool-paint", toolCallId: "2", state: "input-available", input: { input: "red" } },
      {
        type: "tool-clerk",
        toolCallId: "3",
        state: "approval-requested",
        input: { input: "Pay." },
        approval: { id: innerId },
      },
    ]);
  });

  test("marks an answer that was stopped, and one that failed before its next step", async () => {
    const model = scriptedModel(async function* ({ index }) {
      await Promise.resolve();
      if (index === 0) yield* call("1", "clock", '{"input": ""}');
      if (index === 1) throw new Error("down");
      if (index === 2) yield "It is";
      if (index === 2) throw new Error("down");
    });
    const clock = tool({ name: "clock", run: () => "12" });
    const agent = createAgent({ model, tools: [clock], maxRetries: 0 });
    const chat: Thread = await thread(agent, { store: memoryThreads(), id: "1" });
    await expect(collect(chat.stream("Time?"))).rejects.toThrow("down");
    expect(toUiMessages(chat).at(-1)).toMatchObject({ metadata: { incomplete: true } });
    await expect(collect(chat.resume())).rejects.toThrow("down");
    expect(toUiMessages(chat).at(-1)).toMatchObject({
      metadata: { incomplete: true },
      parts: [{}, { type: "tool-clock", output: "12" }, {}, { type: "text", text: "It is" }],
    });
    expect(toUiMessages([...chat.messages, user("Well?")])).toHaveLength(3);
  });

  test("has the usage of a whole turn, and the metadata that the program makes of it", async () => {
    const used = { content: [], usage: { inputTokens: 10, outputTokens: 1 } };
    const model = answers([
      [...call("1", "clock", '{"input": ""}'), used],
      ["Noon.", used],
    ]);
    const agent = createAgent({ model, tools: [tool({ name: "clock", run: () => "12" })] });
    const { state } = await agent.invoke("Time?");
    expect(toUiMessages(state)[1]?.metadata).toEqual({ usage: { inputTokens: 20, outputTokens: 2 } });
    const messageMetadata = ({ usage }: { readonly usage?: { readonly inputTokens?: number } }): unknown =>
      usage?.inputTokens;
    expect(toUiMessages(state, { messageMetadata })[1]?.metadata).toBe(20);
    expect(toUiMessages(state, { messageMetadata: () => undefined })[1]).not.toHaveProperty("metadata");
  });

  test("shows files, and no address that a page would run", () => {
    const content = [
      { type: "image" as const, data: "AAAA", mimeType: "image/png" },
      {
        type: "file" as const,
        url: "https://x.example/a.pdf",
        mimeType: "application/pdf",
        filename: "a.pdf",
      },
      { type: "file" as const, url: "javascript:alert(1)", mimeType: "application/pdf" },
      { type: "file" as const, fileId: "1" },
    ];
    expect(toUiMessages([{ role: "user", content }])[0]?.parts).toEqual([
      { type: "file", mediaType: "image/png", url: "data:image/png;base64,AAAA" },
      { type: "file", mediaType: "application/pdf", url: "https://x.example/a.pdf", filename: "a.pdf" },
    ]);
  });

  test("hides the calls that are structured responses in all turns of a thread", async () => {
    const model = answers([
      call("1", "Recipe", '{"title": "Tea", "steps": []}'),
      call("2", "Recipe", '{"title": "Soup", "steps": []}'),
    ]);
    const agent = createAgent({ model, responseFormat: toolStrategy(recipe) });
    const chat = await thread(agent, { store: memoryThreads(), id: "1" });
    for (const text of ["Tea", "Soup"]) await collect(chat.stream(text));
    const data = toUiMessages(chat).flatMap(({ parts }) =>
      parts.flatMap((part) =>
        part.type === "data-structured" ? [part.data] : part.type === "text" ? [] : [part.type],
      ),
    );
    expect(data).toEqual([
      "step-start",
      { title: "Tea", steps: [] },
      "step-start",
      { title: "Soup", steps: [] },
    ]);
  });
});
