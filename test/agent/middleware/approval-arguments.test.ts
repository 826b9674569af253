import { type AgentOptions, createAgent, textOf, tool } from "millrace";
import { humanApproval } from "millrace/agent";
import { expect, test } from "vitest";
import { z } from "zod";
import { answers, call } from "../support/script.js";

/** An agent that calls `pay` with these arguments, and the arguments that `pay` ran with. */
function payer(args: string, options: Partial<AgentOptions> = {}) {
  const ran: unknown[] = [];
  const schema = z.object({ amount: z.number(), to: z.string() });
  const pay = tool({ name: "pay", schema, run: (given) => ran.push(given) && "paid" });
  const agent = createAgent({
    model: answers([call("1", "pay", args), ["Done."]]),
    tools: [pay],
    locale: "de",
    middleware: [humanApproval()],
    ...options,
  });
  return { agent, ran };
}

test("the state of a paused run has the arguments that will run", async () => {
  const { agent, ran } = payer('{"amount":"1.000","To":"bo"}');
  const { state } = await agent.invoke("Pay.");
  const args = { amount: 1000, to: "bo" };
  expect(state.messages.at(-1)?.content).toMatchObject([{ id: "1", args }]);
  await agent.invoke({ resume: state }, { decisions: { 1: { type: "approve" } } });
  expect(ran).toEqual([args]);
});

test("nobody is asked about arguments that cannot run", async () => {
  const asked: unknown[] = [];
  const decide = (it: { readonly id: string }): undefined => void asked.push(it.id);
  const { agent, ran } = payer('{"amount":"many","to":"bo"}', { middleware: [humanApproval({ decide })] });
  const { state } = await agent.invoke("Pay.");
  expect(state.status).toBe("finished");
  expect(textOf(state.messages[2]!)).toContain("amount");
  expect([asked, ran]).toEqual([[], []]);
});

test("arguments that a person has edited are read as those of the model, and shown so", async () => {
  const { agent, ran } = payer('{"amount":1,"to":"bo"}');
  const { state } = await agent.invoke("Pay.");
  const edited = (args: Record<string, string>) =>
    agent.invoke({ resume: state }, { decisions: { 1: { type: "edit", args } } });
  const { messages } = await edited({ amount: "9,50", to: "bo" });
  expect(ran).toEqual([{ amount: 9.5, to: "bo" }]);
  expect(messages[1]?.content).toMatchObject([{ args: { amount: 9.5, to: "bo" } }]);
});

test("arguments of a person that cannot run, or have two meanings, are an error of the call", async () => {
  for (const args of [
    { amount: "much", to: "bo" },
    { amount: 1, To: "bo", to: "al" },
  ]) {
    const { agent, ran } = payer('{"amount":1,"to":"bo"}');
    const { state } = await agent.invoke("Pay.");
    const { messages } = await agent.invoke({ resume: state }, { decisions: { 1: { type: "edit", args } } });
    expect(messages[2]).toMatchObject({ role: "tool", status: "error" });
    expect(ran).toEqual([]);
  }
});
