import { type AgentState, collect, createAgent, tool } from "millrace";
import { humanApproval, ownState } from "millrace/agent";
import { durable, memoryJournal } from "millrace/durable";
import { expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { answers, call, ofType } from "./support/script.js";

const cart = ownState(
  z.object({ items: z.array(z.string()).max(3).default([]), paid: z.boolean().default(false) }),
);

const add = tool({
  name: "add",
  run: async (item) => {
    if (item === "tea") await Promise.resolve(); // ends after the other one
    return cart.change(`added ${item}`, [{ op: "add", path: "/items/-", value: item }]);
  },
});
const pay = tool({
  name: "pay",
  run: (_, { state }) => {
    const { items } = cart.of(state);
    expectTypeOf(items).toEqualTypeOf<string[]>();
    return cart.change({ count: items.length }, { paid: true });
  },
});

function shop(first: readonly string[], middleware = [humanApproval({ tools: ["pay"] })]) {
  const calls = first.flatMap((item, at) => call(`a${at}`, "add", JSON.stringify({ input: item })));
  const model = answers([calls, call("p0", "pay", '{"input": ""}'), ["Done."]]);
  return createAgent({ model, tools: [add, pay], stateSchema: cart.schema, middleware });
}

test("tools of one step change the values in the order of the calls, and later ones read them", async () => {
  const agent = shop(["tea", "jam"], []);
  const events = await collect(agent.stream("Go."));
  expect(ofType(events, "step_end").map(({ state }) => state.values)).toEqual([
    { items: ["tea", "jam"], paid: false },
    { items: ["tea", "jam"], paid: true },
    { items: ["tea", "jam"], paid: true },
  ]);
  // The value is that of the tool.
  expect(ofType(events, "tool_result").at(-1)?.value).toEqual({ count: 2 });
  expectTypeOf<Awaited<ReturnType<typeof pay.invoke>>>().toEqualTypeOf<{ count: number }>();
});

test("the values are part of the state that a paused run is resumed from", async () => {
  const agent = shop(["tea"]);
  const paused = await agent.invoke("Go.");
  expect(paused.state).toMatchObject({ status: "paused", values: { items: ["tea"], paid: false } });
  const resume = JSON.parse(JSON.stringify(paused.state)) as AgentState;
  const { state } = await agent.invoke({ resume }, { decisions: { p0: { type: "approve" } } });
  expect(cart.of(state)).toEqual({ items: ["tea"], paid: true });
});

test("a durable run changes them again as recorded", async () => {
  const records = new Map<string, string>();
  const run = () => durable(shop(["tea", "jam"], []), { journal: memoryJournal(records), id: "run" });
  const { state } = await run().invoke("Go.");
  expect(cart.of(state).items).toEqual(["tea", "jam"]);
  expect((await run().invoke()).state).toEqual(state);
});

test("values that do not satisfy the schema, or a patch that does not apply, end the run", async () => {
  const error: unknown = await shop(["a", "b", "c", "d"])
    .invoke("Go.")
    .catch((error: unknown) => error);
  expect(error).toMatchObject({ name: "AgentError", code: "invalid_state", issues: [{}] });
  const wrong = tool({ name: "add", run: () => cart.change("", [{ op: "remove", path: "/none" }]) });
  const model = answers([call("a0", "add", '{"input": ""}')]);
  const agent = createAgent({ model, tools: [wrong] });
  await expect(agent.invoke("Go.")).rejects.toMatchObject({ code: "invalid_state" });
  const values = { items: 3 };
  const resume = { messages: [], step: 0, retries: 0, status: "running", values } as const;
  await expect(shop([]).invoke({ resume, messages: "Go." })).rejects.toMatchObject({
    code: "invalid_options",
  });
});

test("a result of the same form that ownState() did not make is a result", async () => {
  const plain = tool({ name: "add", run: () => ({ result: 1, patch: [], state: {} }) });
  const model = answers([call("a0", "add", '{"input": ""}'), ["Done."]]);
  const { state } = await createAgent({ model, tools: [plain] }).invoke("Go.");
  expect(state).not.toHaveProperty("values");
});
