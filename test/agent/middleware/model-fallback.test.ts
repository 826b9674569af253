import { createAgent, ModelError, textOf } from "millrace";
import { modelCallLimit, modelFallback } from "millrace/agent";
import { scriptedModel, type ScriptedModel } from "millrace/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { call } from "../support/script.js";

function broken(error: unknown): ScriptedModel {
  return scriptedModel(() => {
    throw error;
  });
}

const down = new ModelError("http", "Down.", { status: 503 });

test("the next model is called when one fails before its first chunk", async () => {
  const [first, second, third, fourth] = [
    broken(down),
    broken(new TypeError("?")),
    scriptedModel(["Hello."]),
    scriptedModel(["Never."]),
  ];
  const agent = createAgent({ model: first, middleware: [modelFallback(second, third, fourth)] });
  const { messages } = await agent.invoke("Hi");
  expect(messages.map(textOf)).toEqual(["Hi", "Hello."]);
  expect([first, second, third, fourth].map(({ calls }) => calls.length)).toEqual([1, 1, 1, 0]);
});

test("when all fail, the error of the last ends the run", async () => {
  const last = new Error("the last one");
  const agent = createAgent({ model: broken(down), middleware: [modelFallback(broken(last))] });
  await expect(agent.invoke("Hi")).rejects.toBe(last);
});

test("no other model is called after the first chunk", async () => {
  const model = scriptedModel(async function* () {
    yield "Hel";
    throw down;
  });
  const other = scriptedModel(["Hello."]);
  await expect(createAgent({ model, middleware: [modelFallback(other)] }).invoke("Hi")).rejects.toBe(down);
  expect(other.calls).toHaveLength(0);
});

test("an AgentError does not cause a fallback", async () => {
  const other = scriptedModel(["Hello."]);
  const agent = createAgent({
    model: broken(down),
    middleware: [modelFallback(other, other), modelCallLimit({ maxPerRun: 1 })],
  });
  await expect(agent.invoke("Hi")).rejects.toMatchObject({ code: "limit" });
  expect(other.calls).toHaveLength(0);
});

test("each step starts with the agent's own model", async () => {
  const steps: number[] = [];
  const flaky = scriptedModel(({ index }) => {
    steps.push(index);
    if (index === 0) throw down;
    return ['{"n": 2}'];
  });
  const other = scriptedModel(['{"n": "two"}']);
  const agent = createAgent({
    model: flaky,
    responseFormat: z.object({ n: z.number() }),
    middleware: [modelFallback(other)],
  });
  expect((await agent.invoke("How many?")).structuredResponse).toEqual({ n: 2 });
  expect(steps).toEqual([0, 1]);
});

test("each model gets the response format that its profile supports", async () => {
  const schema = z.object({ n: z.number() }).meta({ title: "Count" });
  const without = scriptedModel(call("1", "Count", '{"n": 2}'), { profile: { structuredOutput: false } });
  const agent = createAgent({
    model: broken(down),
    responseFormat: schema,
    middleware: [modelFallback(without)],
  });
  expect((await agent.invoke("How many?")).structuredResponse).toEqual({ n: 2 });
  expect(without.calls[0]?.options.tools?.map(({ name }) => name)).toEqual(["Count"]);
});
