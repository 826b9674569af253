import {
  type AgentState,
  assistant,
  collect,
  createAgent,
  type MessageChunk,
  textOf,
  tool,
  toolMessage,
  user,
} from "millrace";
import {
  type AnyTool,
  type ApprovalDecision,
  clientTool,
  type Decisions,
  humanApproval,
  isDestructive,
  type Middleware,
  type ToolEffects,
  type ToolInvocation,
} from "millrace/agent";
import { scriptedModel } from "millrace/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { inShort } from "../support/conversation.js";
import { turn } from "../../stream/support/hand-fed.js";
import { answers, call, ofType } from "../support/script.js";

type Decide = (call: ToolInvocation) => ApprovalDecision | undefined | Promise<ApprovalDecision | undefined>;

/** The model calls `pay` twice and `look` once, then answers "Done.". */
function bank(
  decide: Decide,
  reached: string[] = [],
): { agent: ReturnType<typeof createAgent>; ran: string[] } {
  const ran: string[] = [];
  const tools = ["pay", "look"].map((name) =>
    tool({ name, run: (input) => ran.push(`${name} ${input}`) && `${name} ok` }),
  );
  const inner: Middleware = {
    aroundTool: (run, next) => {
      reached.push(run.call.id);
      return next(run);
    },
  };
  const model = answers([
    [
      ...call("1", "pay", '{"input": "10"}'),
      ...call("2", "look", '{"input": "up"}'),
      ...call("3", "pay", '{"input": "20"}'),
    ],
    ["Done."],
  ]);
  return {
    agent: createAgent({ model, tools, middleware: [humanApproval({ tools: ["pay"], decide }), inner] }),
    ran,
  };
}

test("decisions approve, edit or reject the selected calls; other calls run without a decision", async () => {
  const asked: string[] = [];
  const { agent, ran } = bank(async ({ id }) => {
    asked.push(id);
    return id === "1" ? { type: "edit", args: { input: "5" } } : { type: "reject", message: "Not twice." };
  });
  const { messages } = await agent.invoke("Go.");
  expect(asked).toEqual(["1", "3"]);
  expect(ran.sort()).toEqual(["look up", "pay 5"]);
  expect(inShort(messages)).toEqual([
    "user | Go.",
    // The conversation has the edited arguments.
    'assistant | pay#1({"input":"5"}) | look#2({"input":"up"}) | pay#3({"input":"20"})',
    "tool#1 success | pay ok",
    "tool#2 success | look ok",
    "tool#3 error | Not twice.",
    "assistant | Done.",
  ]);
});

test("a rejected call is a tool_error event with the code rejected", async () => {
  const { agent } = bank(() => ({ type: "reject" }));
  const [rejected] = ofType(await collect(agent.stream("Go.")), "tool_error");
  expect(rejected?.error).toMatchObject({ name: "AgentError", code: "rejected" });
  expect(inShort([...(rejected === undefined ? [] : [rejected.message])])).toEqual([
    expect.stringMatching(/^tool#1 error \| .*"pay"/),
  ]);
});

test("without a decision, the run pauses; when resumed, it asks about the open calls and continues", async () => {
  const decisions = new Map<string, ApprovalDecision>([["3", { type: "approve" }]]);
  const asked: string[] = [];
  const { agent, ran } = bank(({ id }) => {
    asked.push(id);
    return decisions.get(id);
  });
  const events = await collect(agent.stream("Go."));
  expect(ofType(events, "tool_paused")).toEqual([
    { type: "tool_paused", id: "1", name: "pay", args: { input: "10" } },
  ]);
  expect(ofType(events, "finish")[0]).toMatchObject({ reason: "paused", state: { status: "paused" } });
  expect(ran.sort()).toEqual(["look up", "pay 20"]);

  // The state is plain data, which another process can resume from.
  const state = JSON.parse(JSON.stringify(ofType(events, "finish")[0]?.state)) as AgentState;
  const again = await agent.invoke({ resume: state });
  expect(again.state.status).toBe("paused");

  decisions.set("1", { type: "edit", args: { input: "1" } });
  const { messages } = await agent.invoke({ resume: again.state });
  expect(asked).toEqual(["1", "3", "1", "1"]);
  expect(ran).toEqual(["look up", "pay 20", "pay 1"]);
  expect(inShort(messages).slice(1)).toEqual([
    'assistant | pay#1({"input":"1"}) | look#2({"input":"up"}) | pay#3({"input":"20"})',
    "tool#2 success | look ok",
    "tool#3 success | pay ok",
    "tool#1 success | pay ok",
    "assistant | Done.",
  ]);
});

test("a decision about a call applies to no later call, also if the server sends no ids", async () => {
  const ran: unknown[] = [];
  const decisions = new Map<string, ApprovalDecision>();
  const pay = tool({ name: "pay", run: (input) => ran.push(input) && "paid" });
  const nameless = (input: string): MessageChunk => ({
    content: [{ type: "tool_call_chunk", name: "pay", args: JSON.stringify({ input }) }],
  });
  const agent = createAgent({
    model: answers([[nameless("9 to Bo")], [nameless("9000 to Eve")]]),
    tools: [pay],
    middleware: [humanApproval({ decide: ({ id }) => decisions.get(id) })],
  });
  const first = await agent.invoke("Pay Bo.");
  decisions.set("call_0", { type: "approve" });
  const second = await agent.invoke({ resume: first.state });
  expect(second.state.status).toBe("paused");
  expect(ran).toEqual(["9 to Bo"]);
});

test("edited arguments replace only those of the call, not of an earlier one with its id", async () => {
  const earlier = { type: "tool_call", id: "1", name: "pay", args: { input: "7" } } as const;
  const { agent } = bank(() => ({ type: "edit", args: { input: "5" } }));
  const { messages } = await agent.invoke({
    resume: {
      messages: [
        user("Go."),
        assistant(earlier),
        toolMessage("pay ok", { toolCallId: "1", name: "pay" }),
        assistant({ ...earlier, args: { input: "8" } }),
      ],
      ...{ step: 2, retries: 0, status: "paused" },
    },
  });
  expect(inShort(messages).filter((line) => line.includes("pay#1("))).toEqual([
    'assistant | pay#1({"input":"7"})',
    'assistant | pay#1({"input":"5"})',
  ]);
});

test("a decision after the run was aborted does not run the tool", async () => {
  const controller = new AbortController();
  let approve: (decision: ApprovalDecision) => void = () => {};
  let onAsked: () => void = () => {};
  const asked = new Promise<void>((resolve) => {
    onAsked = resolve;
  });
  const reached: string[] = [];
  const { agent } = bank(({ id }) => {
    if (id !== "1") return { type: "reject" };
    onAsked();
    return new Promise((resolve) => {
      approve = resolve;
    });
  }, reached);
  const run = collect(agent.stream("Go.", { signal: controller.signal }));
  await asked;
  controller.abort(new Error("gone"));
  await expect(run).rejects.toThrow("gone");
  approve({ type: "approve" });
  await turn();
  expect(reached).not.toContain("1");
});

test("decide() gets the context of the run with its type", async () => {
  const contextSchema = z.object({ mayPay: z.boolean() });
  const pay = tool({ name: "pay", run: () => "paid" });
  const agent = createAgent({
    model: answers([call("1", "pay", '{"input": "10"}'), ["Done."]]),
    tools: [pay],
    contextSchema,
    middleware: [
      humanApproval<z.output<typeof contextSchema>>({
        decide: (_call, { run }) => (run.context.mayPay ? { type: "approve" } : { type: "reject" }),
      }),
    ],
  });
  const { messages } = await agent.invoke("Pay.", { context: { mayPay: true } });
  expect(inShort(messages)[2]).toBe("tool#1 success | paid");
});

test("a decision of an unknown type rejects the call, and null is no decision", async () => {
  const { agent, ran } = bank(({ id }) => (id === "1" ? ({ type: "approved" } as never) : (null as never)));
  const { state, messages } = await agent.invoke("Go.");
  expect(state.status).toBe("paused");
  expect(ran).toEqual(["look up"]);
  expect(inShort(messages)).toContainEqual(expect.stringMatching(/^tool#1 error.*not valid.*approved/));
});

test("a decision that is no object rejects the call, and the model reads it", async () => {
  const { agent, ran } = bank(() => true as never);
  const { messages } = await agent.invoke("Go.");
  expect(ran).toEqual(["look up"]);
  expect(inShort(messages).join("\n")).toContain("The decision on the call is not valid: true.");
});

test("a middleware that ends a call without a result ends the run with an error", async () => {
  const silent: Middleware = {
    async *aroundTool() {
      return;
    },
  };
  const agent = createAgent({
    model: answers([call("1", "look", '{"input": "up"}')]),
    tools: [tool({ name: "look", run: () => "ok" })],
    middleware: [silent],
  });
  await expect(agent.invoke("Go.")).rejects.toMatchObject({
    code: "no_result",
    message: expect.stringContaining("aroundTool()") as string,
  });
});

test("two runs that resume the same state at once do not disturb each other or the state", async () => {
  let paid = 0;
  const decisions: ApprovalDecision[] = [];
  const pay = tool({
    name: "pay",
    run: async () => {
      await turn();
      return `paid ${++paid}`;
    },
  });
  const agent = createAgent({
    model: scriptedModel(({ index }) => (index === 0 ? call("1", "pay", '{"input": "tea"}') : ["Done."])),
    tools: [pay],
    middleware: [humanApproval({ decide: () => decisions[0] })],
  });
  const { state } = await agent.invoke("Pay.");
  const saved = JSON.stringify(state);
  decisions.push({ type: "approve" });
  const runs = await Promise.all([agent.invoke({ resume: state }), agent.invoke({ resume: state })]);
  const results = runs.map(({ messages }) =>
    messages.flatMap((it) => (it.role === "tool" ? textOf(it) : [])),
  );
  expect(results.sort()).toEqual([["paid 1"], ["paid 2"]]); // a state has no owner: use durable()
  expect(JSON.stringify(state)).toBe(saved);
});

test("decisions of a run answer for a person, and the run pauses for the other calls", async () => {
  const asked: string[] = [];
  const { agent, ran } = bank(({ id }) => {
    asked.push(id);
    return undefined;
  });
  const { state } = await agent.invoke("Go.");
  const first = await agent.invoke({ resume: state }, { decisions: { "1": { type: "approve" } } });
  expect(first.state.status).toBe("paused");
  expect(ran).toEqual(["look up", "pay 10"]);
  const decisions = JSON.parse('{"3":{"type":"aprove"},"__proto__":{"type":"approve"}}') as Decisions;
  const { messages } = await agent.invoke({ resume: first.state }, { decisions });
  expect(ran).toEqual(["look up", "pay 10"]);
  expect(inShort(messages).join("\n")).toContain('The decision on the call is not valid: {"type":"aprove"}.');
  expect(asked).toEqual(["1", "3", "3"]);
});

test("decisions and results that are not an object are refused before the run", async () => {
  const { agent } = bank(() => undefined);
  const { state } = await agent.invoke("Go.");
  const map = new Map([["1", { type: "approve" }]]) as never;
  for (const option of ["decisions", "results"])
    await expect(async () => agent.invoke({ resume: state }, { [option]: map })).rejects.toMatchObject({
      code: "invalid_options",
      message: expect.stringMatching(/^The (decisions|results) of a run are .* not a Map\.$/) as string,
    });
  const decisions = ["approve"] as unknown as Decisions;
  await expect(async () => agent.invoke({ resume: state }, { decisions })).rejects.toMatchObject({
    code: "invalid_options",
    message: 'The decisions of a run are { [id of the call]: { type: "approve" } }, not ["approve"].',
  });
});

test("a selection of tools must not be asynchronous", async () => {
  const tools = (() => Promise.reject(new Error("later"))) as never;
  const agent = createAgent({
    model: answers([call("1", "drop", "{}")]),
    tools: [tool({ name: "drop", run: () => "dropped" })],
    middleware: [humanApproval({ tools })],
  });
  await expect(agent.invoke("Go.")).rejects.toThrow("returned a promise");
});

test("a destructive tool asks, by what its effects say", async () => {
  const of = (name: string, effects?: ToolEffects): AnyTool =>
    tool({ name, run: () => `${name} ok`, ...(effects && { effects }) });
  const tools = [of("drop", { destructive: true }), of("add", { destructive: false }), of("other")];
  const agent = createAgent({
    model: answers([[...call("1", "drop", "{}"), ...call("2", "add", "{}"), ...call("3", "other", "{}")]]),
    tools: tools.map((it) => ({ ...it, check: () => "" })),
    middleware: [humanApproval({ tools: isDestructive, decide: () => undefined })],
  });
  const events = await collect(agent.stream("Go."));
  expect(ofType(events, "tool_paused").map(({ name }) => name)).toEqual(["drop"]);
  expect(ofType(events, "tool_result").map(({ name }) => name)).toEqual(["add", "other"]);
});

test("a decision or a result counts only for a call that waits, not for one that the model has yet to write", async () => {
  const { agent, ran } = bank(() => undefined);
  const early = { decisions: { 1: { type: "approve" } }, results: { 1: "done" } } as const;
  const { state } = await agent.invoke("Pay.", early);
  expect([state.status, ran]).toEqual(["paused", ["look up"]]);
  const onPage = createAgent({
    model: answers([call("1", "paint", '{"input": "red"}')]),
    tools: [clientTool({ name: "paint" })],
  });
  expect((await onPage.invoke("Paint.", early)).state.status).toBe("paused");
});

test("a call that waits for its approval needs it also where the tool of the resumed run needs none", async () => {
  const ran: string[] = [];
  const pay = (destructive: boolean): AnyTool =>
    tool({ name: "pay", effects: { destructive }, run: () => ran.push("paid") && "ok" });
  const changed: Middleware = { aroundModel: (it, next) => next({ ...it, tools: [pay(true)] }) };
  const agent = createAgent({
    model: answers([[...call("1", "pay", '{"input": ""}')], ["Done."]]),
    tools: [pay(false)],
    middleware: [changed, humanApproval({ tools: isDestructive })],
  });
  const { state } = await agent.invoke("Go.");
  const resume = JSON.parse(JSON.stringify(state)) as AgentState;
  expect((await agent.invoke({ resume })).state.status).toBe("paused");
  expect(ran).toEqual([]);
  expect((await agent.invoke({ resume }, { decisions: { 1: { type: "approve" } } })).state.status).toBe(
    "finished",
  );
  expect(ran).toEqual(["paid"]);
});

/** Lets each call wait until the run is resumed. */
const waits: Middleware = {
  async *aroundTool(run, next) {
    if (run.state.saved === undefined) yield { type: "paused", saved: "seen" };
    else yield* next(run);
  },
};

test("a call that paused before anybody was asked about it is asked about when it continues", async () => {
  const ran: string[] = [];
  const agent = createAgent({
    model: answers([[...call("1", "pay", '{"input": ""}')], ["Done."]]),
    tools: [tool({ name: "pay", run: () => ran.push("paid") && "ok" })],
    middleware: [waits, humanApproval()],
  });
  const { state: resume } = await agent.invoke("Go.");
  expect((await agent.invoke({ resume })).state.status).toBe("paused");
  expect(ran).toEqual([]);
});

test.each([true, false])(
  "a call that pauses after its approval is not asked about again (resumed: %s)",
  async (late) => {
    const asked: string[] = [];
    const agent = createAgent({
      model: answers([[...call("1", "pay", '{"input": ""}')], ["Done."]]),
      tools: [tool({ name: "pay", run: () => "ok" })],
      middleware: [
        humanApproval({
          decide: ({ id }) => {
            asked.push(id);
            return late && asked.length === 1 ? undefined : { type: "approve" };
          },
        }),
        waits,
      ],
    });
    let { state } = await agent.invoke("Go.");
    while (state.status === "paused") ({ state } = await agent.invoke({ resume: state }));
    expect(asked).toEqual(late ? ["1", "1"] : ["1"]);
  },
);
