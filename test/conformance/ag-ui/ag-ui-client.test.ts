import { HttpAgent } from "@ag-ui/client";
import type { Message, ResumeEntry, State } from "@ag-ui/core";
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
import { type ScriptedModel, scriptedModel } from "millrace/testing";
import { memoryThreads, thread, type Thread } from "millrace/thread";
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

  for (const kept of [false, true]) {
    const owner = kept ? "the thread" : "the client";
    /** An agent that pays after an approval, which a client of AG-UI talks to. */
    const paying = async (use: (client: HttpAgent, model: ScriptedModel) => Promise<void>): Promise<void> => {
      const usage = { inputTokens: 1_000, outputTokens: 100 };
      const model = scriptedModel(({ messages }) => [
        ...(messages.at(-1)?.role === "tool" ? ["End."] : call("1", "pay", '{"input": "100"}')),
        { content: [], model: "gpt-5-2026", usage },
      ]);
      const pay = tool({ name: "pay", run: (amount) => `paid ${amount}` });
      const agent = createAgent({
        model,
        tools: [pay],
        middleware: [humanApproval()],
        prices: { "gpt-5": { input: 10, output: 100 } },
      });
      const store = memoryThreads();
      const handle = agUiHandler(kept ? ({ threadId: id }) => thread(agent, { store, id }) : agent, {
        openCalls: !kept,
      });
      await serving(handle, async (url) => {
        const initialMessages = [{ id: "u", role: "user" as const, content: "Pay." }];
        const client = new HttpAgent({ url, threadId: "t", initialMessages });
        await client.runAgent();
        expect(client.pendingInterrupts).toMatchObject([{ id: "1", reason: "tool_call", toolCallId: "1" }]);
        await use(client, model);
        expect(client.pendingInterrupts).toEqual([]);
        expect(client.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
      });
    };
    const answering = (payload: object): { readonly resume: ResumeEntry[] } => ({
      resume: [{ interruptId: "1", status: "resolved", payload }],
    });

    test(`approves calls, edits or rejects them, if ${owner} owns the conversation`, async () => {
      await paying(async (client) => {
        await client.runAgent(answering({ approved: true }));
        expect(client.messages[2]).toMatchObject({ content: "paid 100" });
      });
      await paying(async (client, model) => {
        await client.runAgent(answering({ approved: true, editedArgs: { input: "50" } }));
        expect(client.messages[2]).toMatchObject({ content: "paid 50" });
        expect(model.calls[1]?.messages[1]?.content).toMatchObject([{ args: { input: "50" } }]);
      });
      await paying(async (client) => {
        await client.runAgent(answering({ approved: false, reason: "Too much." }));
        expect(client.messages[2]).toMatchObject({ content: "Too much." });
      });
      await paying(async (client) => {
        await client.runAgent({ resume: [{ interruptId: "1", status: "cancelled" }] });
        expect(client.messages[2]).toMatchObject({ content: 'A person rejected the call of "pay".' });
      });
    });

    test(`asks again after an answer that decides nothing, if ${owner} owns the conversation`, async () => {
      await paying(async (client) => {
        // Nor does one whose arguments cannot be read: the call must not run with those of the model.
        for (const payload of [{ colour: "red" }, { approved: true, editedArgs: '{"input": "50"}' }]) {
          await client.runAgent(answering(payload));
          expect(client.pendingInterrupts).toMatchObject([{ id: "1" }]);
        }
        await client.runAgent(answering({ approved: true }));
      });
    });

    test(`sends the cost of a run, if ${owner} owns the conversation`, async () => {
      await paying(async (client) => {
        const ends: unknown[] = [];
        await client.runAgent(answering({ approved: true }), {
          onRunFinishedEvent: ({ event }) => void ends.push([event.usage, event.metadata]),
        });
        const usage = [{ model: "gpt-5-2026", inputTokens: 1_000, outputTokens: 100 }];
        expect(ends).toEqual([[usage, { cost: 0.02 }]]);
      });
    });
  }

  test("continues a thread with the new messages alone, and refuses one that has others", async () => {
    const model = scriptedModel(({ messages }) => [`Answer to ${messages.length}.`]);
    const store = memoryThreads();
    const agent = createAgent({ model });
    const chat = (): Promise<Thread> => thread(agent, { store, id: "t" });
    await serving(agUiHandler(chat), async (url) => {
      const opened = async (): Promise<HttpAgent> => {
        const initialMessages = toAgUiMessages((await chat()).messages) as Message[];
        return new HttpAgent({ url, threadId: "t", initialMessages });
      };
      const [first, second] = [await opened(), await opened()];
      first.addMessage({ id: "a", role: "user", content: "One" });
      await first.runAgent();
      const third = await opened();
      expect(third.messages.map(({ content }) => content)).toEqual(["One", "Answer to 1."]);
      third.addMessage({ id: "b", role: "user", content: "Two" });
      await third.runAgent();
      expect(third.messages.at(-1)).toMatchObject({ content: "Answer to 3." });
      first.addMessage({ id: "c", role: "user", content: "Three" });
      const errors: unknown[] = [];
      const onRunErrorEvent = ({ event }: { readonly event: unknown }): void => void errors.push(event);
      await first.runAgent({}, { onRunErrorEvent }).catch(() => {});
      expect(errors).toMatchObject([{ code: "conflict" }]);
      // A page that shows nothing yet sends a message of its own.
      second.addMessage({ id: "d", role: "user", content: "Four" });
      await second.runAgent();
      expect((await chat()).messages).toHaveLength(6);
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
