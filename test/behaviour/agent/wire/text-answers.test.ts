import { describe, expect, test } from "vitest";
import { type AgentEvent, createAgent, type JsonValue, tool } from "millrace";
import { toolStrategy } from "millrace/agent";
import { z } from "zod";
import { applyPatch } from "../../../json/support/apply-patch.js";
import { fakeServer, ollamaChat, vllm } from "../../../models/support/fakes.js";
import { delta, finish, stream } from "../../../models/support/server.js";
import { eventsOf } from "../http/conversation.js";

const report = z.object({ city: z.string(), celsius: z.number() }).meta({ title: "Report" });
const person = z.object({ name: z.string() }).meta({ title: "Person" });
const weather = tool({
  name: "weather",
  schema: z.object({ city: z.string() }),
  run: ({ city }) => `${city}: -4 °C`,
});
const oslo = { city: "Oslo", celsius: -4 };

/** The value of all patches, which must agree with the last partial. */
function patched(events: readonly AgentEvent[]): JsonValue {
  return events.reduce<JsonValue>(
    (value, event) => (event.type === "structured_patch" ? applyPatch(value, event.patch) : value),
    null,
  );
}

const texts: readonly [string, string][] = [
  ["JSON alone", JSON.stringify(oslo)],
  ["a code fence", `\`\`\`json\n${JSON.stringify(oslo, null, 2)}\n\`\`\``],
  ["prose around the JSON", `Here it is:\n${JSON.stringify(oslo)}\nAnything else?`],
  ["JSON with a mistake that can be repaired", `{city: 'Oslo', celsius: -4,}`],
];

describe("a model of which nothing is known answers with text instead of the tool call:", () => {
  test.each(texts)("%s is the response, after one request", async (_, text) => {
    const server = await fakeServer(
      vllm,
      stream(...Array.from(text, (it) => delta({ content: it })), finish()),
    );
    const agent = createAgent({ model: vllm.model(server), responseFormat: report });
    const { events, error } = await eventsOf(agent.stream("How warm is it?"));
    expect(error).toBeUndefined();
    expect(events.at(-1)).toMatchObject({ type: "finish", reason: "structured", structuredResponse: oslo });
    expect(patched(events)).toEqual(oslo);
    expect(events.filter(({ type }) => type === "structured_patch").length).toBeGreaterThan(3);
    expect(server.requests).toHaveLength(1);
  });

  test("after a tool has run, too", async () => {
    const server = await fakeServer(
      vllm,
      vllm.calls({ name: "weather", args: ['{"city":"Oslo"}'] }),
      vllm.says(JSON.stringify(oslo)),
    );
    const agent = createAgent({
      model: vllm.model(server),
      tools: [weather],
      responseFormat: toolStrategy(report),
    });
    expect((await agent.invoke("How warm is it?")).structuredResponse).toEqual(oslo);
    expect(server.requests).toHaveLength(2);
  });

  test.each([
    ["Person", { name: "Ada" }],
    ["Report", oslo],
  ])("the schema of several that the text satisfies is chosen: %s", async (name, value) => {
    const server = await fakeServer(ollamaChat, ollamaChat.says(JSON.stringify(value)));
    const agent = createAgent({ model: ollamaChat.model(server), responseFormat: [report, person] });
    const { events } = await eventsOf(agent.stream("Who?"));
    expect(events).toContainEqual({ type: "structured", name, value });
    expect(server.requests).toHaveLength(1);
  });

  test("the state of such a run can be resumed", async () => {
    const server = await fakeServer(vllm, vllm.says(JSON.stringify(oslo)));
    const agent = createAgent({ model: vllm.model(server), responseFormat: report });
    const { state } = await agent.invoke("How warm is it?");
    expect((await agent.invoke({ resume: state })).structuredResponse).toEqual(oslo);
  });
});

describe("text is not the response if", () => {
  const call = vllm.calls({ id: "c2", name: "Report", args: [JSON.stringify(oslo)] });

  test("it does not satisfy the schema: the model is told what is wrong", async () => {
    const server = await fakeServer(vllm, vllm.says('{"city":"Oslo","celsius":"cold"}'), call);
    const agent = createAgent({ model: vllm.model(server), responseFormat: report });
    const { events } = await eventsOf(agent.stream("How warm is it?"));
    expect(events.find(({ type }) => type === "structured_error")).toMatchObject({
      error: { code: "invalid_response", issues: [{ pointer: "/celsius" }] },
    });
    expect(patched(events)).toEqual(oslo);
    expect(server.requests).toHaveLength(2);
  });

  test("it has no JSON", async () => {
    const server = await fakeServer(vllm, vllm.says("It is cold."), call);
    const agent = createAgent({ model: vllm.model(server), responseFormat: report });
    const { events } = await eventsOf(agent.stream("How warm is it?"));
    expect(events.find(({ type }) => type === "structured_error")).toMatchObject({
      error: { code: "no_response" },
    });
    expect(patched(events)).toEqual(oslo);
  });

  test("a call of the response follows: the call counts", async () => {
    const both = stream(
      delta({ content: '{"city":"Rome","celsius":30}' }),
      delta({
        tool_calls: [{ index: 0, id: "c1", function: { name: "Report", arguments: '{"city":"Oslo",' } }],
      }),
      delta({ tool_calls: [{ index: 0, function: { arguments: '"celsius":-4}' } }] }),
      finish("tool_calls"),
    );
    const server = await fakeServer(vllm, both);
    const agent = createAgent({ model: vllm.model(server), responseFormat: report });
    const { events } = await eventsOf(agent.stream("How warm is it?"));
    expect(events.at(-1)).toMatchObject({ structuredResponse: oslo });
    expect(patched(events)).toEqual(oslo);
  });

  test("the call of a tool follows: the tool runs", async () => {
    const both = stream(
      delta({ content: '{"city":"Rome","celsius":30}' }),
      delta({
        tool_calls: [{ index: 0, id: "c1", function: { name: "weather", arguments: '{"city":"Oslo"}' } }],
      }),
      finish("tool_calls"),
    );
    const server = await fakeServer(vllm, both, call);
    const agent = createAgent({ model: vllm.model(server), tools: [weather], responseFormat: report });
    const { events } = await eventsOf(agent.stream("How warm is it?"));
    expect(events.at(-1)).toMatchObject({ structuredResponse: oslo });
    expect(patched(events)).toEqual(oslo);
  });

  test("there are tools, and prose mentions JSON", async () => {
    const server = await fakeServer(vllm, vllm.says(`I could answer ${JSON.stringify(oslo)}.`), call);
    const agent = createAgent({ model: vllm.model(server), tools: [weather], responseFormat: report });
    const { events } = await eventsOf(agent.stream("How warm is it?"));
    expect(events.find(({ type }) => type === "structured_error")).toMatchObject({
      error: { code: "no_response" },
    });
  });

  test("it is cut at the token limit", async () => {
    const server = await fakeServer(vllm, stream(delta({ content: '{"city":"Os' }), finish("length")));
    const agent = createAgent({ model: vllm.model(server), responseFormat: report });
    await expect(agent.invoke("How warm is it?")).rejects.toMatchObject({
      code: "truncated",
      finishReason: "length",
    });
  });
});
