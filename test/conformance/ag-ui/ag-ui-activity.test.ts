import { HttpAgent } from "@ag-ui/client";
import type { Message } from "@ag-ui/core";
import { EventSchemas } from "@ag-ui/core/schemas";
import { type AgentEvent, collect, from, type JsonValue, patchLines, pipe } from "millrace";
import { applyPatch } from "millrace/json";
import type { AnyPatchOperation } from "millrace/json";
import { agUiHandler, toAgUiActivity } from "millrace/serve";
import { everyCut, fixedSizes } from "millrace/testing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { linesOf } from "../../parsers/patch-lines/support/read-lines.js";
import { recipeAgent } from "../../serve/ag-ui/ag-ui-conversation.js";
import { serving } from "../../serve/http/request-server.js";

/** The client only warns about a patch that does not fit, and goes on with an old value. */
const warn = vi.spyOn(console, "warn");
beforeEach(() => void warn.mockClear());
afterEach(() => expect(warn).not.toHaveBeenCalled());

const place = { messageId: "ui", activityType: "recipe" };

function activityIn(messages: readonly Message[]): unknown {
  return messages.find(({ role }) => role === "activity")?.content;
}

/** The body of a run with these events. */
function bodyOf(events: readonly object[]): Uint8Array {
  const run = { threadId: "t", runId: "r" };
  const whole = [{ type: "RUN_STARTED", ...run }, ...events, { type: "RUN_FINISHED", ...run }];
  return new TextEncoder().encode(whole.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
}

/** The content that the client has after each event, of a body in these chunks. */
async function contents(chunks: readonly Uint8Array[]): Promise<unknown[]> {
  const body = new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const fetch = async (): Promise<Response> =>
    new Response(body, { headers: { "content-type": "text/event-stream" } });
  const client = new HttpAgent({ url: "http://localhost", threadId: "t", fetch });
  const seen: unknown[] = [];
  const note = ({ messages }: { readonly messages: readonly Message[] }): void => {
    const content = activityIn(messages);
    if (content !== undefined && JSON.stringify(content) !== JSON.stringify(seen.at(-1))) seen.push(content);
  };
  await client.runAgent({ runId: "r" }, { onMessagesChanged: note });
  return seen;
}

const model = linesOf(
  { op: "add", path: "/title", value: "Grün 🍵" },
  { op: "add", path: "/steps", value: ["Boil", "Wait"] },
  { op: "move", from: "/steps/0", path: "/steps/1" },
  { op: "copy", from: "/title", path: "/name" },
  { op: "remove", path: "/title" },
  { op: "add", path: "/constructor", value: { prototype: { a: 1 } } },
  { op: "add", path: "/constructor/prototype/a", value: 2 },
  { op: "move", from: "/constructor/prototype/a", path: "/b" },
);
const final = {
  steps: ["Wait", "Boil"],
  name: "Grün 🍵",
  constructor: { prototype: {} },
  b: 2,
};

describe("an activity of AG-UI, read by the real HttpAgent", () => {
  for (const append of [false, true]) {
    test(`holds the structured response, and is empty after a retraction (append: ${append})`, async () => {
      const partials: unknown[] = [];
      let value: JsonValue = null;
      const agent = recipeAgent(append);
      const spied = {
        async *stream(...args: Parameters<typeof agent.stream>): AsyncIterable<AgentEvent> {
          for await (const event of agent.stream(...args)) {
            if (event.type === "structured_patch") partials.push((value = applyPatch(value, event.patch)));
            if (event.type === "structured_reset") partials.push({});
            yield event;
          }
        },
      };
      await serving(agUiHandler(spied, { activity: "recipe" }), async (url) => {
        const initialMessages = [{ id: "first", role: "user" as const, content: "A recipe, please." }];
        const client = new HttpAgent({ url, initialMessages, initialState: { before: true } });
        const seen: unknown[] = [];
        const ran = await client.runAgent(
          {},
          {
            onEvent: ({ event, messages }) => {
              expect(EventSchemas.safeParse(event).success).toBe(true);
              if (event.type.startsWith("ACTIVITY_") && seen.length > 0) seen.push(activityIn(messages));
              else if (event.type.startsWith("ACTIVITY_")) seen.push(undefined);
            },
          },
        );
        // The event is reported before it is applied.
        expect([...seen.slice(1), activityIn(client.messages)]).toEqual(partials);
        expect(partials).toContainEqual({});
        expect(client.state).toEqual({ before: true });
        expect(client.messages.filter(({ role }) => role === "activity")).toEqual([
          expect.objectContaining({
            activityType: "recipe",
            content: { title: "Tea", steps: ["boil", "pour"] },
          }),
        ]);
        expect(ran.result).toMatchObject({ title: "Tea" });
        expect(new Set(client.messages.map(({ id }) => id)).size).toBe(client.messages.length);
      });
    });
  }

  test("follows any patches, with the model's text cut at every character", async () => {
    const tried = new Set<string>();
    for (const chunks of [...everyCut(model), ...fixedSizes(model, [1, 5])]) {
      const parser = patchLines({ append: chunks.length % 2 === 0 });
      const events = await collect(pipe(from(chunks), parser.patches, toAgUiActivity(place)));
      const text = JSON.stringify(events);
      if (tried.has(text)) continue; // many cuts lead to the same events
      tried.add(text);
      expect((await contents([bodyOf(events)])).at(-1)).toEqual(final);
    }
  });

  test("shows each value of the model's text, in turn", async () => {
    const chunks = Array.from(model);
    const snapshots = await collect(pipe(from(chunks), patchLines().snapshots));
    const events = await collect(
      pipe(from(chunks), patchLines({ append: true }).patches, toAgUiActivity(place)),
    );
    const distinct = snapshots.filter((it, i) => JSON.stringify(it) !== JSON.stringify(snapshots[i - 1]));
    expect(await contents([bodyOf(events)])).toEqual(distinct);
  });

  test("holds keys that the client refuses in patches", async () => {
    const patches: AnyPatchOperation[][] = [
      [{ op: "replace", path: "", value: {} }],
      [{ op: "add", path: "/__proto__", value: { a: 1 } }],
      [{ op: "add", path: "/__proto__/b", value: 2 }],
      [{ op: "add", path: "/c", value: 3 }],
    ];
    const events = await collect(pipe(from(patches), toAgUiActivity(place)));
    expect(JSON.stringify((await contents([bodyOf(events)])).at(-1))).toBe(
      '{"__proto__":{"a":1,"b":2},"c":3}',
    );
  });

  test("arrives whole when the response is cut at every byte", async () => {
    const chunks = model.match(/[^]{1,70}/gu) ?? [];
    const patches = pipe(from(chunks), patchLines({ append: true }).patches, toAgUiActivity(place));
    const body = bodyOf(await collect(patches));
    for (let cut = 1; cut < body.length; cut++) {
      expect((await contents([body.slice(0, cut), body.slice(cut)])).at(-1)).toEqual(final);
    }
  });

  test("holds a value that is no object as a member, also where the type of the value changes", async () => {
    const patches: AnyPatchOperation[][] = [
      [{ op: "replace", path: "", value: ["a"] }],
      [{ op: "add", path: "/-", value: "b" }],
      [{ op: "append", path: "/1", value: "!" }],
      [{ op: "replace", path: "", value: { c: 1 } }],
      [{ op: "add", path: "/d", value: 2 }],
    ];
    const under = async (contentKey?: string): Promise<unknown[]> =>
      contents([bodyOf(await collect(pipe(from(patches), toAgUiActivity({ ...place, contentKey }))))]);
    const values = [["a"], ["a", "b"], ["a", "b!"]].map((value) => ({ value }));
    expect(await under()).toEqual([...values, { c: 1 }, { c: 1, d: 2 }]);
    expect(await under("x/y")).toEqual(
      [["a"], ["a", "b"], ["a", "b!"], { c: 1 }, { c: 1, d: 2 }].map((it) => ({ "x/y": it })),
    );
  });
});
