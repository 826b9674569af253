import { GrowingValue } from "../json/patch/growing-value.js";
import type { ContentBlock, ToolCallBlock } from "../messages/blocks/blocks.js";
import { isFinishedCall } from "../messages/merge/finished-call.js";
import type { AssistantMessage, Message, ToolMessage } from "../messages/message.js";
import { kindName } from "../text/kind-name.js";
import { answerCall } from "./call-answers.js";
import { invalidOptions } from "./errors.js";
import type { AgentEvent, FinishEvent } from "./events.js";
import { cutReason } from "./loop/run.js";
import type { Middleware } from "./middleware/middleware.js";
import { perRun } from "./middleware/per-run.js";
import type { AgentState } from "./state.js";

/**
 * Ends the run after the first event for which `when` returns true. The model and the tools are aborted at once, and
 * the run ends with `finish` and the reason `stop_when`.
 *
 * The state has what was captured so far, in a form that a run can resume from with new messages: the text of the cut
 * answer, and the calls that were complete. A call without a result gets a message that the run was stopped. The
 * beginning of a structured response is `partial` of the event `finish`.
 *
 * @throws {AgentError} `invalid_options` if `when` is not a function
 *
 * @example
 * ```ts
 * import { collect, createAgent } from "millrace";
 * import { stopWhen } from "millrace/agent";
 * import { scriptedModel } from "millrace/testing";
 * import { z } from "zod";
 *
 * const agent = createAgent({
 *   model: scriptedModel(['{"title": "Mills", ', '"text": "A long text']),
 *   responseFormat: z.object({ title: z.string(), text: z.string() }),
 *   middleware: [stopWhen((event) => event.type === "structured_patch")],
 * });
 * const finish = (await collect(agent.stream("Write."))).at(-1);
 * if (finish?.type === "finish") console.log(finish.reason, finish.partial); // stop_when { title: "Mills" }
 * ```
 */
export function stopWhen(when: (event: AgentEvent) => boolean): Middleware {
  if (typeof when !== "function")
    throw invalidOptions(`stopWhen() expects a function of an event, but got ${kindName(when)}.`);
  const capturedIn = perRun(() => new CapturedStep());
  return {
    name: "stopWhen",
    beforeStep: (state, run) => {
      capturedIn(run).begin(state);
      return undefined;
    },
    async *aroundRun(run, next) {
      const captured = capturedIn(run);
      const events = next(run)[Symbol.asyncIterator]();
      let closed = false;
      try {
        for (;;) {
          const result = await events.next();
          closed = result.done === true;
          if (result.done === true) return;
          const event = result.value;
          captured.add(event);
          yield event;
          if (event.type !== "finish" && when(event)) break;
        }
        closed = true;
        const closing = events.return?.();
        run.abort?.(cutReason); // a model that sends nothing would never close
        await Promise.resolve(closing).catch(() => undefined);
        yield* captured.end();
      } finally {
        if (!closed) await events.return?.();
      }
    },
  };
}

/** The messages of the step that runs. */
class CapturedStep {
  private state: AgentState | undefined;
  private text = "";
  private readonly calls: ToolCallBlock[] = [];
  private readonly results = new Map<string, ToolMessage>();
  /** The messages that events have shown. */
  private readonly shown: Message[] = [];
  private readonly partial = new GrowingValue();
  private structured: Pick<FinishEvent, "structuredResponse"> | undefined;
  private hasEnded = false;

  begin(state: AgentState): void {
    this.state = state;
    this.clear();
    this.shown.length = 0;
    this.results.clear();
    this.structured = undefined;
    this.hasEnded = false;
  }

  add(event: AgentEvent): void {
    switch (event.type) {
      case "step":
        if (this.state !== undefined) this.state = { ...this.state, step: event.step };
        return;
      case "text":
        this.text += event.delta;
        return;
      case "answer_reset":
        this.clear();
        return;
      case "tool_start":
        this.calls.push({ type: "tool_call", id: event.id, name: event.name, args: event.args });
        return;
      case "tool_result":
      case "tool_error":
        this.results.set(event.id, event.message);
        return;
      case "structured_patch":
        this.partial.apply(event.patch);
        return;
      case "structured_reset":
        this.partial.reset();
        return;
      case "structured":
        this.structured = { structuredResponse: event.value };
        return;
      case "message":
        this.shown.push(event.message);
        return;
      case "usage":
        if (this.state !== undefined) this.state = { ...this.state, usage: event.total };
        return;
      case "step_end":
        this.state = event.state;
        this.hasEnded = true;
        return;
      default: // no part of a message
    }
  }

  /** The events that end the step and the run. */
  *end(): Generator<AgentEvent, undefined, undefined> {
    const { state: before } = this;
    if (before === undefined) return;
    const messages = this.hasEnded ? [] : this.messagesAfter(before);
    for (const message of messages) if (!this.shown.includes(message)) yield { type: "message", message };
    const state: AgentState = { ...before, status: "finished", messages: [...before.messages, ...messages] };
    if (!this.hasEnded) yield { type: "step_end", step: state.step, state };
    const partial = this.partial.snapshot();
    const value = this.structured ?? (partial === undefined ? undefined : { partial });
    yield { type: "finish", reason: "stop_when", ...value, state };
  }

  private clear(): void {
    this.text = "";
    this.calls.length = 0;
    this.partial.reset();
  }

  private messagesAfter({ messages }: AgentState): Message[] {
    const answer =
      this.shown.find((it): it is AssistantMessage => it.role === "assistant") ?? this.cutAnswer(messages);
    const content = answer?.content ?? messages.findLast(({ role }) => role === "assistant")?.content ?? [];
    const answered = new Set(messages.map((it) => (it.role === "tool" ? it.toolCallId : undefined)));
    const results = content.filter(isFinishedCall).flatMap((call) => {
      const shown = this.shown.find((it) => it.role === "tool" && it.toolCallId === call.id);
      const message = shown ?? this.results.get(call.id);
      if (message === undefined && answer === undefined && answered.has(call.id)) return [];
      return message ?? answerCall(call, "The run was stopped before this call had a result.", "error");
    });
    const others = this.shown.filter((it) => it.role !== "assistant" && it.role !== "tool");
    return [...(answer === undefined ? [] : [answer]), ...results, ...others];
  }

  /** The answer as far as it is known. Its reasoning is left out, because providers refuse a part of it. */
  private cutAnswer(messages: readonly Message[]): AssistantMessage | undefined {
    const text: ContentBlock[] = this.text === "" ? [] : [{ type: "text", text: this.text }];
    const known = new Set(
      messages.flatMap(({ content }) => content.filter(isFinishedCall).map(({ id }) => id)),
    );
    const content = [...text, ...this.calls.filter(({ id }) => !known.has(id))];
    return content.length === 0 ? undefined : { role: "assistant", content };
  }
}
