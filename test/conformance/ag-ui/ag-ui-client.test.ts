import { HttpAgent } from "@ag-ui/client";
import type { State } from "@ag-ui/core";
import {
  type AgentEvent,
  type AgentState,
  createAgent,
  type JsonValue,
  tool,
  type ToolRuntime,
} from "millrace";
import { applyPatch } from "millrace/json";
import { toolStrategy, humanApproval } from "millrace/agent";
import { agUiHandler, clientTools, toAgUiMessages } from "millrace/serve";
import { scriptedModel } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { call } from "../../agent/support/script.js";
import { recipeAgent } from "../../serve/ag-ui/ag-ui-conversation.js";
import { serving } from "../../serve/http/request-server.js";

/** The messages without ids, and without the white space between arguments, which the client keeps. */
const comparable = (messages: readonly object[]): unknown =>
  JSON.parse(JSON.stringify(messages), (key, value: unknown) => {
    if (key === "arguments") return String(value).replaceAll(/\s/g, "");
    return key === "id" ? "" : value;
  });

describe("the real HttpAgent against agUiHandler()", () => {
  for (const append of [false, true]) {
    test(`ends with our messages and state, after our partials (append: ${append})`, async () => {
      const partials: unknown[] = [];
      let value: JsonValue = null;
      let final: AgentState | undefined;
      const agent = recipeAgent(append);
      const spied = {
        async *stream(...args: Parameters<typeof agent.stream>): AsyncIterable<AgentEvent> {
          for await (const event of agent.stream(...args)) {
            if (event.type === "structured_patch") partials.push((value = applyPatch(value, event.patch)));
            if (event.type === "structured_reset") partials.push({ before: true });
            if (event.type === "finish") final = event.state;
            yield event;
          }
        },
      };
      await serving(agUiHandler(spied), async (url) => {
        const client = new HttpAgent({
          url,
          threadId: "thread",
          initialMessages: [{ id: "first", role: "user", content: "A recipe for tea, please." }],
          initialState: { before: true },
        });
        const states: State[] = [];
        const types: string[] = [];
        const custom: unknown[] = [];
        const ran = await client.runAgent(
          { runId: "run" },
          {
            onEvent: ({ event }) => void types.push(event.type),
            onCustomEvent: ({ event }) => void custom.push([event.name, event.value]),
            onStateChanged: ({ state }) => void states.push(state),
          },
        );
        expect(states).toEqual(partials);
        expect(types.filter((type) => type === "STATE_DELTA")).toHaveLength(5);
        expect(client.state).toEqual({ title: "Tea", steps: ["boil", "pour"] });
        expect(ran.result).toEqual({ title: "Tea", steps: ["boil", "pour"], minutes: 5 });
        const shown = client.messages.filter(({ role }) => role !== "reasoning");
        expect(comparable(shown)).toEqual(comparable(toAgUiMessages(final?.messages ?? [])));
        expect(shown[0]?.id).toBe("first");
        expect(
          client.messages.filter(({ role }) => role === "reasoning").map(({ content }) => content),
        ).toEqual(["I should look."]);
        expect(custom).toEqual([
          ["tool_progress", { toolCallId: "1", toolCallName: "stock", value: { looking: 0.5 } }],
          ["structured_error", { code: "invalid_response", retry: 1 }],
        ]);
        expect(new Set(client.messages.map(({ id }) => id)).size).toBe(client.messages.length);
      });
    });
  }

  test("continues with its conversation, which is equal to ours", async () => {
    const seen: (readonly object[])[] = [];
    const model = scriptedModel(({ messages, index }) => {
      seen.push(messages);
      return index === 0 ? call("1", "clock", '{"input": ""}') : [`Answer ${index}.`];
    });
    const agent = createAgent({ model, tools: [tool({ name: "clock", run: () => "12:00" })] });
    await serving(agUiHandler(agent), async (url) => {
      const client = new HttpAgent({ url, threadId: "thread" });
      client.addMessage({ id: "1", role: "system", content: "Be brief." });
      client.addMessage({ id: "2", role: "user", content: [{ type: "text", text: "Hi" }] });
      await client.runAgent();
      client.addMessage({ id: "3", role: "user", content: "And now?" });
      await client.runAgent();
      expect(seen[2]).toEqual([
        expect.objectContaining({ role: "system", content: [{ type: "text", text: "Be brief." }] }),
        expect.objectContaining({ role: "user", content: [{ type: "text", text: "Hi" }] }),
        expect.objectContaining({
          role: "assistant",
          content: [{ type: "tool_call", id: "1", name: "clock", args: { input: "" } }],
        }),
        expect.objectContaining({
          role: "tool",
          toolCallId: "1",
          content: [{ type: "text", text: "12:00" }],
        }),
        expect.objectContaining({ role: "assistant", content: [{ type: "text", text: "Answer 1." }] }),
        expect.objectContaining({ role: "user", content: [{ type: "text", text: "And now?" }] }),
      ]);
      expect(client.messages.at(-1)).toMatchObject({ role: "assistant", content: "Answer 2." });
    });
  });

  test("runs its own tools: the run ends with the call, and the next run has the result", async () => {
    const model = scriptedModel(({ messages }) =>
      messages.at(-1)?.role === "tool"
        ? ["It is red now."]
        : [...call("1", "paint", '{"colour": ', '"red"}'), ...call("2", "clock", '{"input": ""}')],
    );
    const clock = tool({ name: "clock", run: () => "12:00" });
    const handle = agUiHandler((input) =>
      createAgent({ model, tools: [clock], middleware: [clientTools(input.tools)] }),
    );
    const parameters = { type: "object", properties: { colour: { type: "string" } } };
    const tools = [
      { name: "paint", description: "Paints the page.", parameters },
      { name: "clock", description: "Is not asked, as there is one here." },
    ];
    await serving(handle, async (url) => {
      const client = new HttpAgent({ url, initialMessages: [{ id: "1", role: "user", content: "Red!" }] });
      const pending: unknown[] = [];
      const subscriber = {
        onRunFinishedEvent: (params: object) => {
          if ("pendingToolCallIds" in params) pending.push(params.pendingToolCallIds);
        },
      };
      await client.runAgent({ tools }, subscriber);
      expect(pending).toEqual([["1"]]);
      expect(model.calls[0]?.options.tools?.map(({ name }) => name)).toEqual(["clock", "paint"]);
      expect(client.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
      client.addMessage({ id: "9", role: "tool", toolCallId: "1", content: "done", error: "No paint." });
      await client.runAgent({ tools }, subscriber);
      expect(pending).toEqual([["1"], []]);
      expect(model.calls[1]?.messages.at(-1)).toMatchObject({
        role: "tool",
        toolCallId: "1",
        status: "error",
      });
      expect(client.messages.at(-1)).toMatchObject({ content: "It is red now." });
    });
  });

  test("approves calls: a run ends with an interrupt, and the next run has the decision", async () => {
    const model = scriptedModel(({ messages }) =>
      messages.at(-1)?.role === "tool" ? ["Paid."] : call("1", "pay", '{"input": "100"}'),
    );
    const pay = tool({ name: "pay", run: (amount) => `paid ${amount}` });
    const handle = agUiHandler(
      ({ resume }) =>
        createAgent({
          model,
          tools: [pay],
          middleware: [
            humanApproval({
              decide: ({ id }) => {
                const entry = resume.find(({ interruptId }) => interruptId === id);
                if (entry === undefined) return undefined;
                return entry.status === "resolved" ? { type: "approve" } : { type: "reject" };
              },
            }),
          ],
        }),
      { openCalls: true },
    );
    await serving(handle, async (url) => {
      const client = new HttpAgent({ url, initialMessages: [{ id: "1", role: "user", content: "Pay." }] });
      await client.runAgent();
      expect(client.pendingInterrupts).toEqual([{ id: "1", reason: "tool_approval", toolCallId: "1" }]);
      await client.runAgent({ resume: [{ interruptId: "1", status: "resolved" }] });
      expect(client.pendingInterrupts).toEqual([]);
      expect(client.messages.map(({ role, content }) => [role, content])).toEqual([
        ["user", "Pay."],
        ["assistant", undefined],
        ["tool", "paid 100"],
        ["assistant", "Paid."],
      ]);
    });
  });

  test("passes the context to the agent, and keeps the response in a member of its state", async () => {
    const agent = createAgent({
      model: scriptedModel(({ index }) =>
        index === 0 ? call("1", "whoami", '{"input": ""}') : call("2", "Answer", '{"name": "Ada"}'),
      ),
      contextSchema: z.object({ user: z.string() }),
      tools: [tool({ name: "whoami", run: (_, { context }: ToolRuntime<{ user: string }>) => context.user })],
      responseFormat: toolStrategy(z.object({ name: z.string() }).meta({ title: "Answer" })),
    });
    const handle = agUiHandler(agent, {
      stateKey: "answer",
      context: ({ forwardedProps }, request) => ({
        user: `${JSON.stringify(forwardedProps)} ${request.headers.get("x-user")}`,
      }),
    });
    await serving(handle, async (url) => {
      const client = new HttpAgent({
        url,
        headers: { "x-user": "ada" },
        initialMessages: [{ id: "1", role: "user", content: "Hi" }],
        initialState: { mine: [1] },
      });
      await client.runAgent({ forwardedProps: { theme: "dark" } });
      expect(client.messages[2]).toMatchObject({ role: "tool", content: '{"theme":"dark"} ada' });
      expect(client.state).toEqual({ mine: [1], answer: { name: "Ada" } });
    });
  });

  test("ends the run when it aborts", async () => {
    let closed = (): void => {};
    const left = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const model = scriptedModel(async function* ({ options }) {
      yield "Wait";
      try {
        await new Promise((_, reject) => {
          options.signal?.addEventListener("abort", () => reject(new Error("left")), { once: true });
        });
      } finally {
        closed();
      }
    });
    await serving(agUiHandler(createAgent({ model })), async (url) => {
      const client = new HttpAgent({ url, initialMessages: [{ id: "1", role: "user", content: "Hi" }] });
      const ran = client.runAgent({}, { onTextMessageContentEvent: () => client.abortRun() });
      await ran.catch(() => {});
      await left;
    });
  });

  test("receives an error without details", async () => {
    const errors: unknown[] = [];
    const model = scriptedModel(async function* () {
      yield "Wait";
      throw new Error("password=secret at /srv/app.js:1");
    });
    const handle = agUiHandler(createAgent({ model }), { onError: (error) => void errors.push(error) });
    await serving(handle, async (url) => {
      const client = new HttpAgent({ url, initialMessages: [{ id: "1", role: "user", content: "Hi" }] });
      const shown: unknown[] = [];
      await client.runAgent({}, { onRunErrorEvent: ({ event }) => void shown.push(event) }).catch(() => {});
      expect(shown).toEqual([{ type: "RUN_ERROR", code: "run_failed", message: "The run failed." }]);
      expect(errors).toHaveLength(1);
      expect(client.messages.at(-1)).toMatchObject({ role: "assistant", content: "Wait" });
    });
  });
});
