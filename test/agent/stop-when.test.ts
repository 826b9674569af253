import { type AgentEvent, type AgentState, collect, createAgent, type MessageChunk, tool } from "millrace";
import { stopWhen } from "millrace/agent";
import { durable, memoryJournal } from "millrace/durable";
import { scriptedModel } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { hang } from "../durable/support/trip.js";
import { inShort } from "./support/conversation.js";
import { answers, call, ofType } from "./support/script.js";

const format = z.object({ title: z.string(), text: z.string() });
const isPatch = (event: AgentEvent): boolean => event.type === "structured_patch";

function finishIn(events: readonly AgentEvent[]) {
  const last = events.at(-1);
  if (last?.type !== "finish") throw new Error("The run has no finish.");
  return last;
}

/** A model that writes these chunks and then says nothing more. */
function silentAfter(chunks: readonly MessageChunk[], signals: AbortSignal[] = []) {
  return scriptedModel(async function* ({ options }) {
    signals.push(options.signal!);
    yield* chunks;
    await new Promise((_, reject) => {
      options.signal?.addEventListener("abort", () => {
        reject(options.signal?.reason as Error);
      });
    });
  });
}

describe("stopWhen()", () => {
  test("ends the run after the event, with the text so far and the partial response", async () => {
    const agent = createAgent({
      model: scriptedModel(['{"title": "Mills", ', '"text": "A', " long", " text"]),
      responseFormat: format,
      middleware: [
        stopWhen((event) => event.type === "structured_patch" && JSON.stringify(event).includes("A")),
      ],
    });
    const events = await collect(agent.stream("Write."));
    const { reason, partial, state } = finishIn(events);
    expect({ reason, partial }).toEqual({ reason: "stop_when", partial: { title: "Mills", text: "A" } });
    expect(inShort(state.messages)).toEqual(["user | Write.", 'assistant | {"title": "Mills", "text": "A']);
    expect(events.slice(-3).map(({ type }) => type)).toEqual(["message", "step_end", "finish"]);
    expect(state).toMatchObject({ status: "finished", step: 1 });
  });

  test("waits for a function that is asynchronous", async () => {
    const agent = createAgent({
      model: scriptedModel(["a", "b", "c"]),
      middleware: [stopWhen(async (event) => Promise.resolve(event.type === "text" && event.delta === "b"))],
    });
    const { reason, state } = finishIn(await collect(agent.stream("Write.")));
    expect(reason).toBe("stop_when");
    expect(inShort(state.messages)).toEqual(["user | Write.", "assistant | ab"]);
  });

  test("the state has each call whose tool has begun, whichever event ends the run", async () => {
    const ids = ["1", "2", "3", "4"];
    for (let at = 0, isOver = false; !isOver; at++) {
      const begun: string[] = [];
      const busy = tool({
        name: "busy",
        async *run(_, { toolCallId }) {
          begun.push(toolCallId);
          for (let progress = 0; progress < 3; progress++) yield progress;
          return "done";
        },
      });
      let count = 0;
      const agent = createAgent({
        model: answers([ids.flatMap((id) => call(id, "busy", '{"input": ""}')), ["OK."]]),
        tools: [busy],
        middleware: [stopWhen(() => count++ === at)],
      });
      const { reason, state } = finishIn(await collect(agent.stream("Go.")));
      const called = state.messages.flatMap(({ content }) => content.map((it) => ("id" in it ? it.id : "")));
      expect([at, begun.filter((id) => !called.includes(id))]).toEqual([at, []]);
      isOver = reason === "answer";
    }
  });

  test("aborts the model and the tools at once, also while the model says nothing", async () => {
    const signals: AbortSignal[] = [];
    const wait = tool({
      name: "wait",
      async *run(_, { signal }) {
        signals.push(signal);
        yield "waiting";
        return hang();
      },
    });
    const look = tool({ name: "look", run: () => "seen" });
    const calls = [...call("w0", "wait", '{"input": ""}'), ...call("l1", "look", '{"input": ""}')];
    const agent = createAgent({
      model: silentAfter([...calls, { content: [{ type: "text", text: "And then", index: 2 }] }], signals),
      tools: [wait, look],
      middleware: [stopWhen(({ type }) => type === "tool_result")],
    });
    const { state } = finishIn(await collect(agent.stream("Go.")));
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    expect(inShort(state.messages)).toEqual([
      "user | Go.",
      expect.stringMatching(/^assistant \| (?:And then \| )?wait#w0\(.*\) \| look#l1\(.*\)$/),
      "tool#w0 error | The call was interrupted before its result was known. It may have had an effect.",
      "tool#l1 success | seen",
    ]);
  });

  test("leaves a state that a run can resume from, wherever it stops", async () => {
    const make = (stopAt: number) => {
      let count = 0;
      const model = answers([
        [...call("l0", "look", '{"input": "a"}'), ...call("l1", "look", '{"input": "b"}')],
        ["All ", "seen."],
        ["Once more."],
      ]);
      const look = tool({ name: "look", run: (what) => `saw ${what}` });
      return createAgent({ model, tools: [look], middleware: [stopWhen(() => count++ === stopAt)] });
    };
    const whole = await collect(make(Infinity).stream("Go."));
    for (let at = 0; at < whole.length - 1; at++) {
      const events = await collect(make(at).stream("Go."));
      expect(events.slice(0, at + 1)).toEqual(whole.slice(0, at + 1));
      const { reason, state } = finishIn(events);
      expect(reason).toBe("stop_when");
      const stored = JSON.parse(JSON.stringify(state)) as AgentState;
      expect(stored).toEqual(state);
      const added = ofType(events, "message").map(({ message }) => message);
      expect(state.messages.slice(1)).toEqual(added);
      const calls = state.messages.flatMap(({ content }) =>
        content.filter(({ type }) => type === "tool_call"),
      );
      const results = state.messages.filter(({ role }) => role === "tool");
      expect(results).toHaveLength(calls.length);
      const model = scriptedModel(["Hello."]);
      const next = createAgent({ model }).stream({ resume: stored, messages: "And now?" });
      expect(finishIn(await collect(next)).reason).toBe("answer");
    }
  });

  test("stops a resumed run that begins with open calls", async () => {
    let paused = true;
    const look = tool({ name: "look", run: () => "seen" });
    const agent = createAgent({
      model: answers([[...call("l0", "look", '{"input": "a"}'), ...call("l1", "look", '{"input": "b"}')]]),
      tools: [look],
      middleware: [
        stopWhen(({ type }) => type === "tool_result"),
        {
          async *aroundTool(run, next) {
            if (paused) yield { type: "paused" };
            else yield* next(run);
          },
        },
      ],
    });
    const first = await agent.invoke("Go.");
    expect(first.state.status).toBe("paused");
    paused = false;
    const { state } = finishIn(await collect(agent.stream({ resume: first.state })));
    expect(inShort(state.messages).slice(2)).toEqual([
      "tool#l0 success | seen",
      "tool#l1 error | The call was interrupted before its result was known. It may have had an effect.",
    ]);
  });

  test("keeps the tokens that are known, and a response that is complete", async () => {
    const model = scriptedModel([
      '{"title": "Mills", "text": "Short"}',
      { content: [], usage: { inputTokens: 7 }, finishReason: "stop" },
    ]);
    const agentWith = (type: AgentEvent["type"]) =>
      createAgent({ model, responseFormat: format, middleware: [stopWhen((event) => event.type === type)] });
    const finish = finishIn(await collect(agentWith("usage").stream("Write.")));
    expect(finish).toMatchObject({ reason: "stop_when", state: { usage: { inputTokens: 7 } } });
    expect(finish.structuredResponse ?? finish.partial).toEqual({ title: "Mills", text: "Short" });
  });

  test("makes invoke() reject, as a run without a response does", async () => {
    const model = scriptedModel(['{"title": "Mills", ', '"text": "A']);
    const agent = createAgent({ model, responseFormat: format, middleware: [stopWhen(isPatch)] });
    await expect(agent.invoke("Write.")).rejects.toThrow("ended (stop_when) without a structured response");
  });

  test("ends a durable run for good: another attempt asks no model", async () => {
    const records = new Map<string, string>();
    const model = scriptedModel(['{"title": "Mills", ', '"text": "A']);
    const agent = createAgent({ model, responseFormat: format, middleware: [stopWhen(isPatch)] });
    const run = () => collect(durable(agent, { journal: memoryJournal(records), id: "run" }).stream("Go."));
    const first = finishIn(await run());
    expect(finishIn(await run())).toEqual(first);
    expect([...records.keys()]).toEqual(["begin", "model 1", "end"]);
    expect(model.calls).toHaveLength(1);
  });

  test("runs no tool again when a durable run that it has ended is read", async () => {
    for (const type of ["tool_progress", "tool_result"]) {
      const ran: string[] = [];
      const busy = tool({
        name: "busy",
        async *run(_, { toolCallId }) {
          ran.push(toolCallId);
          yield "Begun.";
          return toolCallId === "1" ? "done" : hang();
        },
      });
      const agent = createAgent({
        model: answers([["1", "2"].flatMap((id) => call(id, "busy", '{"input": ""}'))]),
        tools: [busy],
        middleware: [stopWhen((event) => event.type === type)],
      });
      const records = new Map<string, string>();
      const run = () => collect(durable(agent, { journal: memoryJournal(records), id: "run" }).stream("Go."));
      const first = finishIn(await run());
      expect(first.reason).toBe("stop_when");
      expect(finishIn(await run())).toEqual(first);
      expect(ran).toEqual(["1", "2"]);
    }
  });

  test("refuses what is not a function, and passes on what it throws", async () => {
    expect(() => stopWhen(3 as never)).toThrow("expects a function");
    const problem = new Error("Mine.");
    const throwing = stopWhen(() => {
      throw problem;
    });
    const agent = createAgent({ model: scriptedModel(["Hi."]), middleware: [throwing] });
    await expect(agent.invoke("Go.")).rejects.toBe(problem);
  });
});
