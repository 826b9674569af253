import {
  type AgentEvent,
  type AgentState,
  collect,
  createAgent,
  from,
  type Message,
  type MessageChunk,
  textOf,
  tool,
  toolMessage,
  type ToolRuntime,
  user,
} from "millrace";
import {
  agentTool,
  type ApprovalDecision,
  humanApproval,
  type Middleware,
  type NestedProgress,
  type ToolInvocation,
} from "millrace/agent";
import { toUiMessageStream } from "millrace/serve";
import { scriptedModel } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { inShort } from "../support/conversation.js";
import { answers, call, ofType } from "../support/script.js";
import { hang } from "../../durable/support/trip.js";

const usage = (tokens: number) => ({ content: [], usage: { inputTokens: tokens } });

/** The state as a database returns it. */
const stored = (state: AgentState): AgentState => JSON.parse(JSON.stringify(state)) as AgentState;

const isUser = ({ role }: Message): boolean => role === "user";

function progressIn(events: readonly AgentEvent[]): NestedProgress[] {
  return ofType(events, "tool_progress").map(({ value }) => value as NestedProgress);
}

/** An agent `writer` that calls `research`, whose agent calls `search`, whose agent calls `fetch`. */
function threeDeep(
  decisions: ReadonlyMap<string, ApprovalDecision> = new Map([["f1", { type: "approve" }]]),
) {
  const ran: string[] = [];
  const fetch = tool({
    name: "fetch",
    run: (url, { context }: ToolRuntime) => {
      ran.push(`${url} for ${String(context)}`);
      return `page ${url}`;
    },
  });
  const models = [
    answers([
      [...call("f1", "fetch", '{"input": "a.org"}'), usage(100)],
      ["Found it.", usage(200)],
    ]),
    answers([
      [...call("s1", "search", '{"input": "mills"}'), usage(10)],
      ["Mills grind.", usage(20)],
    ]),
    answers([
      [...call("r1", "research", '{"input": "What?"}'), usage(1)],
      ["Done.", usage(2)],
    ]),
  ] as const;
  const searcher = createAgent({
    model: models[0],
    tools: [fetch],
    middleware: [humanApproval({ decide: ({ id }) => decisions.get(id) })],
  });
  const researcher = createAgent({ model: models[1], tools: [agentTool(searcher, { name: "search" })] });
  const writer = createAgent({ model: models[2], tools: [agentTool(researcher, { name: "research" })] });
  return { writer, researcher, ran, calls: () => models.map(({ calls }) => calls.length) };
}

describe("agentTool()", () => {
  test("gives the agent the one string, and the model the text of its last message", async () => {
    const { writer, ran } = threeDeep();
    const { messages } = await writer.invoke("Write.", { context: "ann" });
    expect(inShort(messages)).toEqual([
      "user | Write.",
      'assistant | research#r1({"input":"What?"})',
      "tool#r1 success | Mills grind.",
      "assistant | Done.",
    ]);
    expect(ran).toEqual(["a.org for ann"]);
  });

  test("reports the events of all depths as progress with their path, as plain data for a page", async () => {
    const events = await collect(threeDeep().writer.stream("Write."));
    const progress = progressIn(events);
    expect(
      progress.map(({ path, ids, event }) => `${path.join("/")} ${ids.join("/")} ${event.type}`),
    ).toEqual(
      expect.arrayContaining([
        "research r1 step",
        "research r1 tool_start",
        "research/search r1/s1 tool_start",
        "research/search r1/s1 tool_result",
        "research/search r1/s1 text",
        "research r1 finish",
      ]),
    );
    const text = JSON.stringify(progress);
    expect(JSON.parse(text)).toEqual(progress);
    expect(text).not.toMatch(/"(?:state|error)":/);
  });

  test("leaves progress of the same form that a tool of the agent reports as it is", async () => {
    const own = { path: ["x"], ids: ["1"], event: { type: "text", delta: "hi" } };
    const reporting = tool({
      name: "own",
      run: (_, { emit }) => {
        emit(own);
      },
    });
    const inner = createAgent({
      model: answers([call("o1", "own", '{"input": ""}'), ["Hm."]]),
      tools: [reporting],
    });
    const model = answers([call("r1", "research", '{"input": ""}'), ["Done."]]);
    const outer = createAgent({ model, tools: [agentTool(inner, { name: "research" })] });
    expect(progressIn(await collect(outer.stream("Go.")))).toContainEqual({
      path: ["research"],
      ids: ["r1"],
      event: { type: "tool_progress", id: "o1", name: "own", value: own },
    });
  });

  test("adds the tokens of all depths to those of the run, once", async () => {
    const events = await collect(threeDeep().writer.stream("Write."));
    const usages = ofType(events, "usage");
    expect(usages.map(({ usage: { inputTokens } }) => inputTokens).sort()).toEqual([1, 10, 100, 2, 20, 200]);
    const totals = usages.map(({ total }) => total.inputTokens ?? 0);
    expect(totals).toEqual([...totals].sort((a, b) => a - b));
    expect(ofType(events, "finish")[0]?.state.usage).toEqual({ inputTokens: 333 });
  });

  test("makes the structured response the result as JSON, and the artifact", async () => {
    const schema = z.object({ title: z.string(), year: z.iso.date().transform((date) => new Date(date)) });
    const inner = createAgent({
      model: scriptedModel(['{"title": "Mills", ', '"year": "2020-01-01"}']),
      responseFormat: schema,
    });
    const research = agentTool(inner, {
      name: "research",
      schema: z.object({ topic: z.string(), depth: z.int().default(1) }),
      toInput: ({ topic, depth }) => `${topic}, ${depth} deep`,
    });
    const model = answers([call("r1", "research", '{"topic": "mills"}'), ["Done."]]);
    const events = await collect(createAgent({ model, tools: [research] }).stream("Go."));
    const [result] = ofType(events, "tool_result");
    const plain = { title: "Mills", year: "2020-01-01T00:00:00.000Z" };
    expect(JSON.parse(textOf(result!.message))).toEqual(plain);
    expect(result?.message.artifact).toEqual(plain);
    expect(result?.value).toEqual({ title: "Mills", year: new Date("2020-01-01") });
    expect(progressIn(events).map(({ event }) => event.type)).toContain("structured_patch");
    expect(await research.invoke({ topic: "mills" })).toEqual(result?.value);
  });

  test("an approval inside pauses the outer run; the resumed one continues the inner run where it was", async () => {
    const decisions = new Map<string, ApprovalDecision>();
    const { writer, ran, calls } = threeDeep(decisions);
    const events = await collect(writer.stream("Write.", { context: "ann" }));
    const [finish] = ofType(events, "finish");
    expect(finish?.reason).toBe("paused");
    expect(ofType(events, "tool_paused")).toEqual([
      { type: "tool_paused", id: "r1", name: "research", args: { input: "What?" }, waitsFor: "agent" },
    ]);
    expect(progressIn(events).filter(({ event }) => event.type === "tool_paused")).toEqual([
      expect.objectContaining({
        path: ["research", "search"],
        event: { type: "tool_paused", id: "f1", name: "fetch", args: { input: "a.org" } },
      }),
      expect.objectContaining({
        path: ["research"],
        event: expect.objectContaining({ id: "s1" }) as unknown,
      }),
    ]);
    expect(calls()).toEqual([1, 1, 1]);
    // Nobody has decided yet.
    const again = await writer.invoke({ resume: stored(finish!.state) });
    expect(again.state).toEqual(finish!.state);
    decisions.set("f1", { type: "approve" });
    const { messages, state } = await writer.invoke({ resume: stored(again.state) }, { context: "bob" });
    expect(ran).toEqual(["a.org for bob"]);
    expect(calls()).toEqual([2, 2, 2]);
    expect(inShort(messages).slice(2)).toEqual(["tool#r1 success | Mills grind.", "assistant | Done."]);
    expect(state.usage).toEqual({ inputTokens: 333 });
    expect(state).not.toHaveProperty("saved");
  });

  test("decisions of the resumed run reach the agent inside", async () => {
    const { writer, ran } = threeDeep(new Map());
    const { state } = await writer.invoke("Write.");
    const { messages } = await writer.invoke({ resume: state }, { decisions: { f1: { type: "approve" } } });
    expect(ran).toHaveLength(1);
    expect(inShort(messages).at(-1)).toBe("assistant | Done.");
  });

  test("a decision about the call itself is not asked again when an inner pause has ended", async () => {
    const decisions = new Map<string, ApprovalDecision>();
    const { researcher } = threeDeep(decisions);
    const asked: string[] = [];
    const outer = createAgent({
      model: answers([call("r1", "research", '{"input": "What?"}'), ["Done."]]),
      tools: [agentTool(researcher, { name: "research" })],
      middleware: [
        humanApproval({
          decide: ({ id }) => {
            asked.push(id);
            return { type: "approve" };
          },
        }),
      ],
    });
    const { state } = await outer.invoke("Write.");
    decisions.set("f1", { type: "reject", message: "No." });
    expect((await outer.invoke({ resume: stored(state) })).state.status).toBe("finished");
    expect(asked).toEqual(["r1"]);
  });

  test("an abort and a reader that leaves reach the model and the tools of all depths", async () => {
    for (const stop of ["abort", "leave"] as const) {
      const signals: AbortSignal[] = [];
      const model = scriptedModel((request) => {
        signals.push(request.options.signal!);
        return [call("w1", "wait", '{"input": ""}')[0]!, { content: [{ type: "text", text: "…" }] }];
      });
      const waiting = tool({
        name: "wait",
        run: (_, { signal }) => {
          signals.push(signal);
          return hang();
        },
      });
      const inner = createAgent({ model, tools: [waiting] });
      const outer = createAgent({
        model: answers([call("r1", "research", '{"input": "What?"}')]),
        tools: [agentTool(inner, { name: "research" })],
      });
      const controller = new AbortController();
      const reading = (async () => {
        for await (const event of outer.stream("Go.", { signal: controller.signal })) {
          const { event: nested } = event.type === "tool_progress" ? (event.value as NestedProgress) : {};
          if (nested?.type !== "tool_start") continue;
          if (stop === "leave") return;
          controller.abort(new Error("Enough."));
        }
      })();
      if (stop === "abort") await expect(reading).rejects.toThrow("Enough.");
      else await reading;
      expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    }
  });

  test("a failure of the agent is that of a tool", async () => {
    const model = scriptedModel(() => {
      throw new Error("The server at /srv/app is down.");
    });
    const inner = createAgent({ model });
    const agentWith = (onError: boolean) =>
      createAgent({
        model: answers([call("r1", "research", '{"input": "What?"}'), ["Done."]]),
        tools: [agentTool(inner, { name: "research", onError })],
      });
    const { messages } = await agentWith(true).invoke("Go.");
    expect(inShort(messages)[2]).toBe(
      'tool#r1 error | The tool "research" failed: The server at [path] is down.',
    );
    await expect(agentWith(false).invoke("Go.")).rejects.toThrow("is down");
  });

  test("a call that is nested too deeply is refused, and the run continues", async () => {
    const agentWith = (maxDepth: number) =>
      createAgent({
        model: answers([call("r1", "research", '{"input": "What?"}'), ["Done."]]),
        tools: [agentTool(createAgent({ model: scriptedModel(["Hi."]) }), { name: "research", maxDepth })],
      });
    const calls = ["write", "plan"].map((name, at) => ({ id: `c${at}`, name }));
    const outer = { calls, ids: [] };
    const { messages } = await agentWith(3).invoke("Go.", { outer });
    expect(inShort(messages)[2]).toBe("tool#r1 success | Hi.");
    const [refused] = ofType(await collect(agentWith(2).stream("Go.", { outer })), "tool_error");
    expect(refused?.error).toMatchObject({ name: "AgentError", code: "max_depth" });
  });

  test("a decision about a call never applies to one of another depth, whatever ids the server sends", async () => {
    for (const sent of [undefined, "same"]) {
      const decided: string[] = [];
      const calling = (name: string, ids: readonly (string | undefined)[]): MessageChunk => ({
        content: ids.map((id, index) => ({
          ...{ type: "tool_call_chunk", index, name, args: '{"input": ""}' },
          ...(id !== undefined && { id }),
        })),
      });
      const approval = humanApproval({
        decide: ({ id }, { run }) => {
          decided.push(id);
          return run.outer === undefined ? { type: "approve" } : undefined;
        },
      });
      const inner = createAgent({
        model: answers([[calling("pay", [sent, sent])]]),
        tools: [tool({ name: "pay", run: () => "paid" })],
        middleware: [approval],
      });
      const outer = createAgent({
        model: answers([[calling("research", [sent])], [calling("research", [sent, undefined])]]),
        tools: [agentTool(inner, { name: "research" }), tool({ name: "look", run: () => "" })],
        middleware: [approval],
      });
      expect((await outer.invoke("Go.")).state.status).toBe("paused");
      expect(decided).toHaveLength(3);
      expect(new Set(decided).size).toBe(3);
    }
  });

  test("calls that wait in two runs of one message have two ids, and a decision runs one", async () => {
    const ran: string[] = [];
    const pay = tool({ name: "pay", run: (amount) => ran.push(amount) && "paid" });
    const inner = (amount: string) =>
      createAgent({
        model: answers([call("1", "pay", `{"input": "${amount}"}`), ["Paid."]]),
        tools: [pay],
        middleware: [humanApproval()],
      });
    const calls = ["pay", "a", "b"].flatMap((name, at) => call(`${at + 1}`, name, '{"input": "100"}'));
    const outer = createAgent({
      model: answers([calls, ["Done."]]),
      tools: [pay, agentTool(inner("200"), { name: "a" }), agentTool(inner("300"), { name: "b" })],
      middleware: [humanApproval({ tools: ["pay"] })],
    });
    const events = await collect(outer.stream("Pay."));
    const shown = await toUiMessageStream(from(events)).text();
    const approvals = [...shown.matchAll(/"approvalId":"(\w+)"/g)].map(([, id]) => id);
    expect(approvals).toEqual(["1", "2_1", "3_1"]);
    let state = ofType(events, "finish")[0]?.state as AgentState;
    for (const [id, amount] of Object.entries({ "3_1": "300", 1: "100", "2_1": "200" })) {
      const decisions = { [id]: { type: "approve" } } as const;
      ({ state } = await outer.invoke({ resume: stored(state) }, { decisions }));
      expect(ran.splice(0)).toEqual([amount]);
    }
    expect(state.status).toBe("finished");
  });

  test("a call never continues one that a new message has ended, whatever its id", async () => {
    const decided: string[] = [];
    const decide = ({ id, args }: ToolInvocation): undefined =>
      void decided.push(`${id} ${JSON.stringify(args)}`);
    const inner = createAgent({
      model: answers([call("9", "pay", '{"input": "1"}')]),
      tools: [tool({ name: "pay", run: () => expect.fail() })],
      middleware: [humanApproval()],
    });
    const latest: Middleware = {
      beforeStep: ({ messages }) => ({ messages: messages.slice(messages.findLastIndex(isUser)) }),
    };
    const outer = createAgent({
      model: answers([call("1", "ask", '{"input": "a"}'), ["Yes?"], call("1", "ask", '{"input": "b"}')]),
      tools: [agentTool(inner, { name: "ask" })],
      middleware: [humanApproval({ decide }), latest],
    });
    let { state } = await outer.invoke("Go.");
    ({ state } = await outer.invoke({ resume: stored(state) }, { decisions: { 1: { type: "approve" } } }));
    expect(Object.keys(state.saved ?? {})).toEqual(["1"]);
    for (const text of ["Stop.", "Ask."]) {
      const messages = [toolMessage("Nobody has decided.", { toolCallId: "1" }), user(text)];
      const added = text === "Stop." ? messages : messages.slice(1);
      ({ state } = await outer.invoke({ resume: stored(state), messages: added }));
    }
    expect(decided).toEqual(['1 {"input":"a"}', '1 {"input":"b"}']);
    expect(state).toMatchObject({ status: "paused" });
    expect(state).not.toHaveProperty("saved");
  });

  test("refuses wrong options in words", () => {
    const agent = createAgent({ model: scriptedModel(["Hi."]) });
    expect(() => agentTool(agent, { name: "a", schema: z.object({ topic: z.string() }) })).toThrow("toInput");
    expect(() => agentTool(agent, { name: "a", maxDepth: 0 })).toThrow(RangeError);
    expect(() => agentTool(undefined as never, { name: "a" })).toThrow("createAgent()");
    expect(() => agentTool(agent, { name: "a", prompt: "x" } as never)).toThrow("prompt");
  });

  test("outside an agent, it returns the result, or says that nothing can resume it", async () => {
    const { researcher } = threeDeep(new Map());
    await expect(agentTool(researcher, { name: "research" }).invoke("What?")).rejects.toMatchObject({
      code: "ended",
    });
    const agent = createAgent({ model: scriptedModel(["Hi."]) });
    expect(await agentTool(agent, { name: "research" }).invoke("What?")).toBe("Hi.");
  });
});
