import { type AgentEvent, createAgent, textOf, tool } from "millrace";
import type { ToolCallDialect } from "millrace/models";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { fakeServer, openAIChat, vllm } from "../../../models/support/fakes.js";

const weather = tool({
  name: "weather",
  description: "Tells the weather.",
  schema: z.object({ city: z.string() }),
  run: ({ city }) => `${city}: -4 °C`,
});

/** A call of the tool in each dialect, as a server sends it. */
const calls: readonly (readonly [ToolCallDialect, string])[] = [
  ["hermes", `<tool_call>\n{"name": "weather", "arguments": {"city": "Oslo"}}\n</tool_call>`],
  ["granite", `<function_call> {"name": "weather", "arguments": {"city": "Oslo"}}`],
  ["mistral", `[TOOL_CALLS] [{"name": "weather", "arguments": {"city": "Oslo"}}]`],
  ["llama", `{"name": "weather", "parameters": {"city": "Oslo"}}`],
  ["glm", `weather\n{"city": "Oslo"}`],
  ["glm-xml", `<tool_call>weather\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n</tool_call>`],
  ["qwen-xml", `<function=weather>\n<parameter=city>\nOslo\n</parameter>\n</function>`],
  ["python", `[weather(city='Oslo')]`],
  ["json", `{"tool_calls": [{"name": "weather", "arguments": {"city": "Oslo"}}]}`],
];

interface Body {
  readonly tools?: unknown;
  readonly tool_choice?: unknown;
  readonly messages: readonly {
    readonly role: string;
    readonly content: unknown;
    readonly tool_calls?: unknown;
  }[];
}

describe.each(calls)("an agent with textToolCalls: %s", (dialect, call) => {
  test("describes the tools, runs the call in the text, and sends the result as text", async () => {
    const server = await fakeServer(vllm, vllm.says(`I look.\n${call}`), vllm.says("It is -4 °C."));
    const agent = createAgent({
      model: vllm.model(server),
      tools: [weather],
      system: "Be brief.",
      textToolCalls: dialect,
    });
    const { messages } = await agent.invoke("How warm is it in Oslo?");
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
    expect(messages[1]?.content.map(({ type }) => type)).toEqual(["text", "tool_call"]);
    expect(textOf(messages[3] ?? { content: [] })).toBe("It is -4 °C.");

    const bodies = server.requests.map(({ body }) => body as Body);
    expect(bodies.map((body) => body.messages.map(({ role }) => role))).toEqual([
      ["system", "user"],
      ["system", "user", "assistant", "user"],
    ]);
    for (const body of bodies) {
      expect([body.tools, body.tool_choice]).toEqual([undefined, undefined]);
      const prompt = JSON.stringify(body.messages[0]?.content);
      expect(prompt).toContain("Be brief.");
      expect(prompt).toContain("Tells the weather.");
    }
    const [, , asked, result] = bodies[1]?.messages ?? [];
    expect(asked?.tool_calls).toBeUndefined();
    expect(JSON.stringify(asked?.content)).toContain("Oslo");
    expect(JSON.stringify(result?.content)).toContain("Oslo: -4 °C");
  });
});

test("the profile of the model says how it writes calls", async () => {
  const server = await fakeServer(
    openAIChat,
    openAIChat.says('{"name": "weather", "parameters": {"city": "Oslo"}}'),
    openAIChat.says("Cold."),
  );
  const model = openAIChat.model(server, { profile: { textToolCalls: "auto" } });
  const { messages } = await createAgent({ model, tools: [weather] }).invoke("How warm is it?");
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
});

test("a structured response is a call in the text, shown while it grows", async () => {
  const server = await fakeServer(
    vllm,
    vllm.says(`<tool_call>{"name": "weather", "arguments": {"city": "Oslo"}}</tool_call>`),
    vllm.says(`<tool_call>{"name": "Report", "arguments": {"city": "Oslo", "celsius": "cold"}}</tool_call>`),
    vllm.says(`<tool_call>\n{"arguments": {"city": "Oslo", "celsius": -4}, "name": "Report"}\n</tool_call>`),
  );
  const agent = createAgent({
    model: vllm.model(server),
    tools: [weather],
    responseFormat: z.object({ city: z.string(), celsius: z.number() }).meta({ title: "Report" }),
    textToolCalls: "hermes",
  });
  const events: AgentEvent[] = [];
  for await (const event of agent.stream("How warm is it in Oslo?")) events.push(event);
  expect(events.at(-1)).toMatchObject({ type: "finish", structuredResponse: { city: "Oslo", celsius: -4 } });
  expect(events.some(({ type }) => type === "structured_patch")).toBe(true);
  const [, , again] = server.requests.map(({ body }) => body as Body);
  expect(again?.messages.at(-1)?.role).toBe("user");
});
