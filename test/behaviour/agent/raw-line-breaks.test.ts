import {
  type AgentEvent,
  collect,
  createAgent,
  pipe,
  toAssistantMessage,
  tool,
  toolCallsParser,
} from "millrace";
import { providerStrategy, toolStrategy } from "millrace/agent";
import type { JsonRepair } from "millrace/json";
import { openai } from "millrace/openai";
import { everyWay, scriptedModel } from "millrace/testing";
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import {
  type Answer,
  delta,
  finish,
  hello,
  serve,
  status,
  stream,
  type TestServer,
} from "../../models/support/server.js";

/** Models write long texts into the arguments of a call with raw line breaks, which JSON does not allow. */

let server: TestServer | undefined;

afterEach(async () => {
  await server?.close();
});

const written = '{"path": "a.md", "text": "# A\n\n\tB"}';
const args = { path: "a.md", text: "# A\n\n\tB" };
const repairs = [29, 30, 31].map((offset) => ({ kind: "control_character", offset }));

/** Refuses a history with arguments that are not JSON, as vLLM does (vllm#43995). */
const strict: Answer = (response, request, index) => {
  const { messages } = request.body as { messages: { tool_calls?: { function: { arguments: string } }[] }[] };
  try {
    for (const { tool_calls = [] } of messages)
      for (const call of tool_calls) JSON.parse(call.function.arguments);
  } catch (error) {
    return status(400, { error: { message: String(error), type: "BadRequestError", code: 400 } })(
      response,
      request,
      index,
    );
  }
  return hello(response, request, index);
};

const call = (text: string): object =>
  delta({ tool_calls: [{ index: 0, id: "1", function: { name: "write", arguments: text } }] });
const more = (text: string): object => delta({ tool_calls: [{ index: 0, function: { arguments: text } }] });

const write = tool({
  name: "write",
  description: "Writes a file.",
  schema: z.object({ path: z.string(), text: z.string() }),
  run: ({ text }) => `${text.length} characters`,
});

test("a tool runs on arguments with raw line breaks, which are reported, and the next request is valid", async () => {
  for (const chunks of [[written], [written.slice(0, 29), written.slice(29)], Array.from(written)]) {
    const [first = "", ...rest] = chunks;
    server = await serve(stream(call(first), ...rest.map(more), finish("tool_calls")), strict);
    const agent = createAgent({
      model: openai({ model: "gpt-4o", apiKey: "k", baseURL: server.url, maxRetries: 0 }),
      tools: [write],
    });
    const events: AgentEvent[] = await collect(agent.stream("Write it."));
    expect(events.find(({ type }) => type === "tool_start")).toEqual({
      type: "tool_start",
      id: "1",
      name: "write",
      args,
      repairs,
    });
    expect(events.at(-1)).toMatchObject({ type: "finish", reason: "answer" });
    expect(server.requests[1]?.body).toMatchObject({
      messages: [
        {},
        { tool_calls: [{ function: { arguments: JSON.stringify(args) } }] },
        { content: "7 characters" },
      ],
    });
    await server.close();
  }
});

test("a structured response reports its repairs, as a call and as text", async () => {
  const schema = z.object({ text: z.string() });
  const text = "{'text': 'a'}";
  const responses = [
    [toolStrategy(schema), { type: "tool_call_chunk", id: "1", name: "output", args: text }],
    [providerStrategy(schema), { type: "text", text }],
  ] as const;
  for (const [responseFormat, block] of responses) {
    const agent = createAgent({ model: scriptedModel([{ content: [block] }]), responseFormat });
    const events: AgentEvent[] = await collect(agent.stream("Write it."));
    expect(events.find(({ type }) => type === "structured")).toMatchObject({
      value: { text: "a" },
      repairs: [
        { kind: "quote", offset: 1 },
        { kind: "quote", offset: 9 },
      ],
    });
  }
});

test("toolCallsParser() reports the repairs of each call once, however it is cut", async () => {
  for (const chunks of everyWay(written)) {
    const model = scriptedModel([
      { content: [{ type: "tool_call_chunk", id: "1", name: "write" }] },
      ...chunks.map((text) => ({ content: [{ type: "tool_call_chunk", args: text }] }) as const),
    ]);
    const reported: [JsonRepair, object][] = [];
    const parser = toolCallsParser({ tools: [write], onRepair: (...repair) => reported.push(repair) });
    expect(await collect(pipe(model.stream("Write it."), parser.calls))).toEqual([{ name: "write", args }]);
    expect(reported).toEqual(repairs.map((repair) => [repair, { id: "1", name: "write" }]));
  }
});

test("a call reports at most 100 repairs", () => {
  const args = `{"text": "${"\n".repeat(500)}"}`;
  const message = toAssistantMessage({
    content: [{ type: "tool_call_chunk", id: "1", name: "write", args }],
  });
  const [block] = message.content;
  expect(block?.type === "tool_call" && block.repairs).toHaveLength(100);
});
