import { getEventListeners } from "node:events";
import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { type AgentEvent, type AgentState, type JsonValue, type Message, ModelError, user } from "millrace";
import { AgentError } from "millrace/agent";
import { applyPatch } from "millrace/json";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ofType } from "../../agent/support/script.js";
import { agentOf, anyRun, problemsOf, type RandomRun, type Watch } from "./support/random-run.js";

const unhandled: unknown[] = [];
const onUnhandled = (error: unknown): void => {
  unhandled.push(error);
};
beforeAll(() => {
  process.on("unhandledRejection", onUnhandled);
});
afterAll(() => {
  process.off("unhandledRejection", onUnhandled);
});

interface Outcome {
  readonly events: readonly AgentEvent[];
  readonly error: unknown;
}

async function outcomeOf(stream: AsyncIterable<AgentEvent>): Promise<Outcome> {
  const events: AgentEvent[] = [];
  try {
    for await (const event of stream) events.push(event);
    return { events, error: undefined };
  } catch (error) {
    return { events, error };
  }
}

/** The rules that the events of a run break. */
function mistakesIn({ events, error }: Outcome, before: readonly Message[]): string[] {
  const mistakes: string[] = [];
  const calls = new Map<string, AgentEvent["type"]>();
  let messages = [...before];
  let shown: JsonValue = null;
  const follows = (event: AgentEvent & { readonly id: string }, ...allowed: (string | undefined)[]): void => {
    const last = calls.get(event.id);
    if (!allowed.includes(last)) mistakes.push(`${event.type} after ${last}`);
    if (event.type !== "tool_args" && event.type !== "tool_progress") calls.set(event.id, event.type);
  };
  for (const event of events) {
    switch (event.type) {
      case "tool_call":
        follows(event, undefined);
        break;
      case "tool_args":
        follows(event, "tool_call");
        break;
      case "tool_start":
        follows(event, "tool_call", undefined); // undefined: of a call that waited
        break;
      case "tool_error":
        follows(event, "tool_call", "tool_start");
        break;
      case "tool_progress":
      case "tool_result":
      case "tool_paused":
        follows(event, "tool_start");
        break;
      case "message":
        messages.push(event.message);
        break;
      case "structured_patch":
        shown = applyPatch(shown, event.patch);
        break;
      case "structured_reset":
        shown = null;
        break;
      case "structured":
        // A resumed run repeats the response without showing it again.
        if (shown !== null) expect(shown).toEqual(event.value);
        break;
      case "step_end": {
        expect(JSON.parse(JSON.stringify(event.state))).toEqual(event.state);
        expect(event.state.messages.map(inShort)).toEqual(messages.filter(isSent).map(inShort));
        messages = [...event.state.messages];
        for (const [id, last] of calls)
          if (!ends.has(last)) mistakes.push(`the call "${id}" ended a step with ${last}`);
        break;
      }
      default:
    }
  }
  const finish = ofType(events, "finish");
  if (finish.length !== (error === undefined ? 1 : 0)) mistakes.push(`${finish.length} finish events`);
  if (finish[0] !== undefined && finish[0] !== events.at(-1)) mistakes.push("an event after finish");
  const { state } = finish[0] ?? (error as { readonly state?: AgentState });
  const mayBeOpen = error !== undefined || state?.status === "paused";
  if (state !== undefined) mistakes.push(...problemsOf(state.messages, "in the state", mayBeOpen));
  if (error !== undefined && !(error instanceof AgentError || error instanceof ModelError))
    mistakes.push(`an error that is not of the package: ${messageOf(error)}`);
  if (error instanceof AgentError && error.code === "invalid_options") mistakes.push(error.message);
  return mistakes;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : typeof error;
}

const ends: ReadonlySet<string> = new Set(["tool_result", "tool_error", "tool_paused"]);

/** The agent does not keep an answer without content. */
function isSent({ role, content }: Message): boolean {
  return role !== "assistant" || content.length > 0;
}

/** A message without the arguments of its calls, which an approval may have edited. */
function inShort(message: Message): unknown {
  return [
    message.role,
    message.role === "tool" ? message.toolCallId : undefined,
    message.content.map((block) => [block.type, "id" in block ? block.id : undefined]),
  ];
}

/** A tool that is busy when its run ends closes when it yields. */
async function closed(watch: Watch): Promise<void> {
  for (let n = 0; n < 4; n++) await turn();
  expect(watch.open).toBe(0);
}

const asJson = (state: AgentState): AgentState => JSON.parse(JSON.stringify(state)) as AgentState;

// G-agent-9
test("the events of a run are in order, invoke() ends as they do, and so does a run that continues", async () => {
  const check = async (run: RandomRun): Promise<void> => {
    const { agent, watch } = agentOf(run);
    const outcome = await outcomeOf(agent.stream("Go."));
    expect([...mistakesIn(outcome, [user("Go.")]), ...watch.problems]).toEqual([]);
    await closed(watch);
    const finish = ofType(outcome.events, "finish")[0];

    const invoked: unknown = await agentOf(run)
      .agent.invoke("Go.")
      .then(({ state }) => state)
      .catch((error: unknown) => error);
    if (finish === undefined) expect(invoked).toMatchObject({ message: messageOf(outcome.error) });
    else if (invoked instanceof AgentError)
      expect(invoked).toMatchObject({ code: "ended", state: finish.state });
    else expect(invoked).toEqual(finish.state);

    const counts = run.middleware.some((name) => name.endsWith("Limit")); // a resumed run starts at 0
    for (const { state } of finish === undefined || counts ? [] : ofType(outcome.events, "step_end")) {
      if (state.status !== "running") continue;
      const { events } = await outcomeOf(agentOf(run).agent.stream({ resume: asJson(state) }));
      expect(ofType(events, "finish")[0]?.state).toEqual(finish?.state);
    }
    if (finish?.reason !== "paused") return;
    const decided = agentOf(run, true);
    const rest = await outcomeOf(decided.agent.stream({ resume: asJson(finish.state) }));
    expect([...mistakesIn(rest, finish.state.messages), ...decided.watch.problems]).toEqual([]);
    expect(ofType(rest.events, "finish")[0]?.reason).not.toBe("paused");
  };
  await fc.assert(fc.asyncProperty(anyRun, check), { numRuns: 100 });
});

test("a consumer that leaves at any event leaves nothing open", async () => {
  const check = async (run: RandomRun): Promise<void> => {
    const { agent, watch } = agentOf(run);
    const controller = new AbortController();
    const { signal } = controller;
    const reason = new Error("The page was closed.");
    const iterator = agent.stream("Go.", { signal })[Symbol.asyncIterator]();
    const pull = (): Promise<"item" | "end" | { readonly error: unknown }> =>
      iterator.next().then(
        ({ done }) => (done === true ? "end" : "item"),
        (error: unknown) => ({ error }),
      );
    let last: Awaited<ReturnType<typeof pull>> = "item";
    for (let n = 0; n < run.leaveAt && last === "item"; n++) last = await pull();
    if (last === "item") {
      const pending = run.how.endsWith("waits") ? pull() : undefined;
      if (run.how.startsWith("return")) await iterator.return?.();
      else controller.abort(reason);
      const given = (await pending) ?? "item"; // an item may have been on its way
      if (given === "item") expect(await pull()).toEqual(signal.aborted ? { error: reason } : "end");
      expect(await pull()).toBe("end");
    }
    expect(getEventListeners(signal, "abort")).toEqual([]);
    await closed(watch);
    expect(unhandled).toEqual([]);
  };
  await fc.assert(fc.asyncProperty(anyRun, check), { numRuns: 100 });
});
