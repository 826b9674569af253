import { describe, expect, test } from "vitest";
import { type AgentEvent, collect, createAgent, tool } from "millrace";
import { providerStrategy } from "millrace/agent";
import { z } from "zod";
import {
  allFakes,
  anthropicMessages,
  fakeServer,
  gemini25,
  gemini3,
  ollamaChat,
  openAIChat,
  openAIResponses,
  vllm,
} from "../../../models/support/fakes.js";
import type { Fields, Refusal } from "../../../models/support/refusals.js";
import { thrownBy } from "../../../prompts/thrown-by.js";

const report = z.object({ city: z.string(), celsius: z.number() }).meta({ title: "Report" });
const weather = tool({
  name: "weather",
  schema: z.object({ city: z.string() }),
  run: ({ city }) => `${city}: -4 °C`,
});
const answer = { city: "Oslo", celsius: -4 };

/** Models that take tools and a schema for the text in one request. */
const takesBoth = [openAIChat, openAIResponses, anthropicMessages, gemini3];
const takesOne = [gemini25, ollamaChat, vllm];

describe.each(allFakes)("a bare schema on $name", (fake) => {
  test("works beside tools: the model calls the tool, then sends the response", async () => {
    const last = takesBoth.includes(fake)
      ? fake.says(JSON.stringify(answer))
      : fake.calls({ id: "c2", name: "Report", args: [JSON.stringify(answer)] });
    const server = await fakeServer(fake, fake.calls({ name: "weather", args: ['{"city":"Oslo"}'] }), last);
    const agent = createAgent({ model: fake.model(server), tools: [weather], responseFormat: report });
    const { structuredResponse, messages } = await agent.invoke("How warm is it in Oslo?");
    expect(structuredResponse).toEqual(answer);
    expect(messages.some(({ role }) => role === "tool")).toBe(true);
    for (const { body } of server.requests) {
      expect(fake.hasFormat(body as Fields)).toBe(takesBoth.includes(fake));
      expect(fake.toolsIn(body as Fields)).toEqual(
        takesBoth.includes(fake) ? ["weather"] : ["weather", "Report"],
      );
    }
  });

  test("without tools uses the structured output of a model that has it", async () => {
    const server = await fakeServer(fake, fake.says(JSON.stringify(answer)));
    const agent = createAgent({ model: fake.model(server), responseFormat: report });
    expect((await agent.invoke("How warm is it in Oslo?")).structuredResponse).toEqual(answer);
    expect(server.requests.map(({ body }) => fake.hasFormat(body as Fields))).toEqual([fake !== vllm]);
  });
});

describe.each([gemini25, ollamaChat])("an explicit providerStrategy beside tools on $name", (fake) => {
  test("becomes a tool, and an event says why", async () => {
    const call = fake.calls({ name: "Report", args: [JSON.stringify(answer)] });
    const server = await fakeServer(fake, call);
    const agent = createAgent({
      model: fake.model(server),
      tools: [weather],
      responseFormat: providerStrategy(report),
    });
    const seen: AgentEvent[] = await collect(agent.stream("Hi"));
    expect(seen.find(({ type }) => type === "structured_strategy")).toMatchObject({
      strategy: "tool",
      reason: { code: "invalid_request", message: expect.stringContaining("beside tools") as string },
    });
    expect(seen.at(-1)).toMatchObject({ type: "finish", structuredResponse: answer });
    expect(server.requests.map(({ body }) => fake.toolsIn(body as Fields))).toEqual([["weather", "Report"]]);
  });

  const strictly = providerStrategy(report, { fallback: false });

  test("is refused before anything is sent, if it has no fallback", async () => {
    const server = await fakeServer(fake, fake.says("never requested"));
    const options = { model: fake.model(server), tools: [weather], responseFormat: strictly };
    expect(thrownBy(() => createAgent(options))).toMatchObject({
      name: "AgentError",
      code: "invalid_options",
    });
    expect(server.requests).toEqual([]);
  });

  test("is refused in the run if a middleware adds the tools", async () => {
    const server = await fakeServer(fake, fake.says("never requested"));
    const agent = createAgent({
      model: fake.model(server),
      responseFormat: strictly,
      middleware: [{ aroundModel: (call, next) => next({ ...call, tools: [weather] }) }],
    });
    await expect(agent.invoke("Hi")).rejects.toMatchObject({ name: "AgentError", code: "invalid_options" });
    expect(server.requests).toEqual([]);
  });

  test("is sent if the profile says that the model supports both", async () => {
    const server = await fakeServer({ ...fake, refuse: () => undefined }, fake.says(JSON.stringify(answer)));
    const agent = createAgent({
      model: fake.model(server, { profile: { structuredOutputWithTools: true } }),
      tools: [weather],
      responseFormat: providerStrategy(report),
    });
    expect((await agent.invoke("Hi")).structuredResponse).toEqual(answer);
  });
});

test("an explicit providerStrategy beside tools is sent to a model of which nothing is known", async () => {
  const server = await fakeServer(vllm, vllm.says(JSON.stringify(answer)));
  const agent = createAgent({
    model: vllm.model(server),
    tools: [weather],
    responseFormat: providerStrategy(report),
  });
  expect((await agent.invoke("Hi")).structuredResponse).toEqual(answer);
  expect(takesOne).toContain(vllm);
});

test("an explicit providerStrategy becomes a tool if the server refuses its format", async () => {
  const call = vllm.calls({ name: "Report", args: [JSON.stringify(answer)] });
  const body = { error: { message: "This response_format type is unavailable now" } };
  const refuse = (sent: Fields): Refusal | undefined =>
    vllm.hasFormat(sent) ? { status: 400, body } : undefined;
  const server = await fakeServer({ ...vllm, refuse }, call);
  const model = vllm.model(server);
  const agent = createAgent({ model, responseFormat: providerStrategy(report) });
  const seen: AgentEvent[] = await collect(agent.stream("Hi"));
  expect(seen.find(({ type }) => type === "structured_strategy")).toMatchObject({ strategy: "tool" });
  expect(seen.at(-1)).toMatchObject({ type: "finish", structuredResponse: answer });

  // The server is asked only once.
  const before = server.requests.length;
  const later = await collect(createAgent({ model, responseFormat: providerStrategy(report) }).stream("Hi"));
  expect(later.find(({ type }) => type === "structured_strategy")).toMatchObject({ strategy: "tool" });
  expect(later.at(-1)).toMatchObject({ structuredResponse: answer });
  expect(server.requests.length - before).toBe(1);
});
