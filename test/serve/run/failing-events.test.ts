import { type AgentEvent, collect, createAgent, from, type JsonPatch } from "millrace";
import {
  agUiHandler,
  memoryLog,
  toAgUi,
  toEventStream,
  toTextStream,
  toUiMessageStream,
} from "millrace/serve";
import { scriptedModel } from "millrace/testing";
import { toAssistantTransport } from "millrace/ui";
import { describe, expect, test } from "vitest";

/**
 * An event or patch that throws when it is read ends a stream as an error of the run does: after what came before, with
 * an error in the words of the protocol, and with the whole error for the server.
 */

const broken = new Error("thrown by a getter of the app");

function throwsIn<T extends object>(item: T, key: keyof T): T {
  const get = (): never => {
    throw broken;
  };
  return Object.defineProperty({ ...item }, key, { enumerable: true, get });
}

const firstPatch: JsonPatch = [{ op: "replace", path: "", value: { a: 1 } }];
const badPatch: JsonPatch = [throwsIn({ op: "add", path: "/b", value: 2 }, "value")];

const events: Readonly<Record<string, AgentEvent>> = {
  "a text": throwsIn({ type: "text", delta: "b" }, "delta"),
  "a kind of event": throwsIn({ type: "text", delta: "b" }, "type"),
  "the id of a call": throwsIn({ type: "tool_call", id: "1", name: "pay" }, "id"),
  "a patch": { type: "structured_patch", patch: badPatch },
};

type ToText = (event: AgentEvent, onError: (error: unknown) => void) => Promise<string>;

const ofEvents: Readonly<Record<string, ToText>> = {
  "toUiMessageStream()": (event, onError) =>
    toUiMessageStream(from<AgentEvent>([{ type: "text", delta: "before" }, event]), { onError }).text(),
  "agUiHandler()": async (event, onError) => {
    const agent = createAgent({ model: scriptedModel([]) });
    const run = from<AgentEvent>([{ type: "text", delta: "before" }, event]);
    const handle = agUiHandler(() => ({ ...agent, stream: () => run }), { onError });
    const body = JSON.stringify({
      threadId: "1",
      runId: "2",
      messages: [{ id: "1", role: "user", content: "a" }],
    });
    const headers = { "content-type": "application/json" };
    const response = await handle(new Request("http://localhost/", { method: "POST", headers, body }));
    return response.text();
  },
};

describe.each(Object.keys(ofEvents))("%s", (name) => {
  test.each(Object.keys(events))("ends with an error if %s throws when it is read", async (kind) => {
    const errors: unknown[] = [];
    const event = events[kind] as AgentEvent;
    const text = await (ofEvents[name] as ToText)(event, (error) => errors.push(error));
    expect(text).toMatch(/before.*"(?:error|RUN_ERROR)".*The run failed\./s);
    expect(errors.map((error) => (error as Error).cause ?? error)).toEqual([broken]);
  });
});

test("the events of toAgUi() end with an error, and the stream does not fail", async () => {
  const run = from<AgentEvent>([{ type: "text", delta: "before" }, events["a text"] as AgentEvent]);
  const shown = await collect(toAgUi(run, { threadId: "1", runId: "2" }));
  expect(shown.at(-1)).toEqual({ type: "RUN_ERROR", code: "run_failed", message: "The run failed." });
});

type PatchesToText = (patches: AsyncIterable<JsonPatch>, onError: (error: unknown) => void) => Response;

const ofPatches: Readonly<Record<string, PatchesToText>> = {
  "toEventStream()": (patches, onError) => toEventStream(patches, { onError }),
  "toEventStream() in compact form": (patches, onError) =>
    toEventStream(patches, { format: "compact", onError }),
  "toEventStream() with a log": (patches, onError) =>
    toEventStream(patches, { log: memoryLog(), id: "1", onError }),
  "toAssistantTransport()": (patches, onError) => toAssistantTransport(patches, { onError }),
};

test.each(Object.keys(ofPatches))("%s ends with an error if a patch throws when it is read", async (name) => {
  const errors: unknown[] = [];
  const respond = ofPatches[name] as PatchesToText;
  const text = await respond(from([firstPatch, badPatch]), (error) => errors.push(error)).text();
  expect(text).toMatch(/"a":1.*The run failed\./s);
  expect(errors.map((error) => (error as Error).cause ?? error)).toEqual([broken]);
});

test("toTextStream() is cut, as its text has no place for an error", async () => {
  const errors: unknown[] = [];
  const response = toTextStream(from([firstPatch, badPatch]), { onError: (error) => errors.push(error) });
  await expect(response.text()).rejects.toBe(broken);
  expect(errors).toEqual([broken]);
});

test("an event of middleware that protocols do not know is left out", async () => {
  const run: readonly AgentEvent[] = [{ type: "text", delta: "a" }, { type: "mine" } as never];
  expect(await toUiMessageStream(from(run)).text()).toContain('"delta":"a"}\n\ndata: {"type":"text-end"');
  const shown = await collect(toAgUi(from(run), { threadId: "1", runId: "2" }));
  expect(shown.map(({ type }) => type)).toContain("TEXT_MESSAGE_END");
});
