import { createAgent } from "millrace";
import { AgentError, autoStrategy, providerStrategy, toolStrategy } from "millrace/agent";
import { scriptedModel } from "millrace/testing";
import { expect, test } from "vitest";
import { z } from "zod";

const circle = z.object({ radius: z.number() }).meta({ title: "Circle" });
const square = z.object({ side: z.number() }).meta({ title: "Square" });
const call = (name: string, args: string) => [
  { content: [{ type: "tool_call_chunk", id: "1", name, args }] } as const,
];

test("autoStrategy() asks as a schema alone does", async () => {
  const structured = { structuredOutput: true, toolCalling: true };
  for (const profile of [structured, { ...structured, structuredOutput: false }]) {
    const script = profile.structuredOutput ? ['{"radius": 2}'] : call("Circle", '{"radius": 2}');
    const model = scriptedModel(script, { profile });
    const agent = createAgent({ model, responseFormat: autoStrategy(circle) });
    expect((await agent.invoke("A circle")).structuredResponse).toEqual({ radius: 2 });
  }
});

test("autoStrategy() has its own handling of errors", async () => {
  const model = scriptedModel(['{"radius": "wide"}'], { profile: { structuredOutput: true } });
  const agent = createAgent({ model, responseFormat: autoStrategy(circle, { handleError: false }) });
  await expect(agent.invoke("A circle")).rejects.toMatchObject({ code: "invalid_response" });
});

test("an array of tool strategies is one strategy for all their schemas", async () => {
  const model = scriptedModel(call("Square", '{"side": 3}'));
  const agent = createAgent({ model, responseFormat: [toolStrategy(circle), toolStrategy(square)] });
  const { structuredResponse } = await agent.invoke("A square");
  expect(structuredResponse).toEqual({ side: 3 });
});

test.each([
  ["other options", [toolStrategy(circle), toolStrategy(square, { handleError: false })]],
  ["a schema", [toolStrategy(circle), square]],
  ["another strategy", [toolStrategy(circle), providerStrategy(square)]],
])("an array of a tool strategy and %s is refused", (_, responseFormat) => {
  expect(() => createAgent({ model: scriptedModel([]), responseFormat: responseFormat as never })).toThrow(
    AgentError,
  );
});
