import { createAgent, generateObject, type Message, textOf, tool } from "millrace";
import { selectTools, type SelectToolsOptions, toolStrategy } from "millrace/agent";
import { durable, memoryJournal } from "millrace/durable";
import { scriptedModel } from "millrace/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { answers, call } from "../support/script.js";

const tools = ["find", "pay", "erase"].map((name) =>
  tool({ name, schema: z.object({}), run: () => `${name} ran` }),
);

/** The names of the tools that the model is offered in each step. */
async function offered(
  select: SelectToolsOptions["select"],
  options: object = {},
): Promise<(string[] | undefined)[]> {
  const model = answers([call("1", "find", "{}"), call("2", "pay", "{}"), ["Done."]]);
  await createAgent({ model, tools, middleware: [selectTools({ select })], ...options }).invoke("Hi");
  return model.calls.map(({ options }) => options.tools?.map(({ name }) => name));
}

test("each step offers the tools that are selected", async () => {
  expect(
    await offered(({ step }) => (step === 1 ? ["pay", "find", "nothing"] : step === 2 ? ["pay"] : [])),
  ).toEqual([["find", "pay"], ["pay"], undefined]);
});

test("a selection may wait, and sees the call", async () => {
  const select: SelectToolsOptions["select"] = async ({ messages, tools }) => {
    await Promise.resolve();
    expect(textOf(messages[0] as Message)).toBe("Hi");
    return tools.map(({ name }) => name);
  };
  expect((await offered(select))[0]).toEqual(["find", "pay", "erase"]);
});

test("a call of a tool that is not offered does not run it", async () => {
  const model = answers([call("1", "erase", "{}"), ["Done."]]);
  const agent = createAgent({ model, tools, middleware: [selectTools({ select: () => ["find"] })] });
  const { messages } = await agent.invoke("Hi");
  expect(messages[2]).toMatchObject({ role: "tool", status: "error" });
  expect(textOf(messages[2] as Message)).toContain("find");
});

test("a forced tool is offered, and so is the structured response", async () => {
  const forced = await offered(() => [], { callOptions: { toolChoice: { name: "pay" } } });
  expect(forced[0]).toEqual(["pay"]);
  const model = scriptedModel(({ options }) => call("1", options.tools?.[0]?.name ?? "", '{"n": 1}'));
  const middleware = [selectTools({ select: () => [] })];
  const agent = createAgent({
    model,
    tools,
    middleware,
    responseFormat: toolStrategy(z.object({ n: z.number() })),
  });
  expect((await agent.invoke("Hi")).structuredResponse).toEqual({ n: 1 });
});

test("a smaller model may select", async () => {
  const small = scriptedModel(['{"names": ["pay", "unknown"]}']);
  const select: SelectToolsOptions["select"] = async ({ messages, tools, run }) => {
    const { object } = await generateObject({
      model: small,
      schema: z.object({ names: z.array(z.string()) }),
      system: `Which of these tools help?\n${tools.map(({ name }) => name).join("\n")}`,
      messages,
      signal: run.signal,
    });
    return object.names;
  };
  expect((await offered(select))[0]).toEqual(["pay"]);
});

test("nothing is selected without tools", async () => {
  const select = (): never => {
    throw new Error("not called");
  };
  await createAgent({ model: scriptedModel(["Hi."]), middleware: [selectTools({ select })] }).invoke("Hi");
});

test("a durable run records the selection", async () => {
  let selections = 0;
  const select = (): string[] => (selections++ === 0 ? ["find"] : ["pay"]);
  const records = new Map<string, string>();
  const model = scriptedModel(({ index }) => {
    if (index === 0) throw new Error("The process died.");
    return ["Done."];
  });
  const agent = createAgent({ model, tools, middleware: [selectTools({ select })] });
  const attempt = () => durable(agent, { journal: memoryJournal(records), id: "run" });
  const controller = new AbortController();
  await expect(attempt().invoke("Hi", { signal: controller.signal })).rejects.toThrow("died");
  records.delete("end");
  for (const name of records.keys())
    if (!name.includes("selectTools") && name !== "begin") records.delete(name);
  await attempt().invoke();
  expect(selections).toBe(1);
  expect(model.calls.map(({ options }) => options.tools?.map(({ name }) => name))).toEqual([
    ["find"],
    ["find"],
  ]);
});

test.each([undefined, "find", new Set(["find"])])("%j instead of names is an error", async (chosen) => {
  const middleware = [selectTools({ select: () => chosen as never })];
  const agent = createAgent({
    model: scriptedModel(["OK."]),
    tools: [tool({ name: "find", run: () => "" })],
    middleware,
  });
  await expect(agent.invoke("Hi")).rejects.toThrow("select of selectTools() returns an array of names");
});

test("refuses an unknown option", () => {
  expect(() => selectTools({ select: () => [], tools: [] } as never)).toThrow("no option");
});
