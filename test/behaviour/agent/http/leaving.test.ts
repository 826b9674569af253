import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Agent, type AgentEvent, createAgent, tool, type ToolRuntime } from "millrace";
import { providerStrategy, toolStrategy } from "millrace/agent";
import { modelAt, serving } from "../../../models/support/models.js";
import { type Answer, begin, content, delta, finish } from "../../../models/support/server.js";
import { productRating } from "./schemas.js";
import { Watch, waysToLeave, leaveAt } from "./watched-run.js";

let watch: Watch;
beforeEach(() => {
  watch = new Watch();
});
afterEach(() => {
  watch.stop();
});

/** The behavior of the tool. Each first reports at least one value. */
const tools = {
  async *"that shows progress"(): AsyncGenerator<number, string> {
    for (let n = 1; n <= 2; n++) {
      yield n;
      await delay(1);
    }
    return "done";
  },
  async *"that hangs until it is aborted"({ signal }: ToolRuntime): AsyncGenerator<number, string> {
    yield 1;
    await new Promise((_, reject) => {
      signal.addEventListener("abort", () => {
        reject(signal.reason as Error);
      });
    });
    return "never";
  },
  async *"that ignores abort"(): AsyncGenerator<number, string> {
    yield 1;
    await delay(20);
    return "too late";
  },
};

const strategies = { tool: toolStrategy(productRating), provider: providerStrategy(productRating) };

const cases = Object.entries(tools).flatMap(([kind, work]) =>
  Object.entries(strategies).map(([strategy, responseFormat]) => ({ kind, work, strategy, responseFormat })),
);

describe.each(cases)("with a tool $kind, by the $strategy strategy:", ({ kind, work, responseFormat }) => {
  async function watched(): Promise<Agent> {
    const server = await serving(watch.answer(answerTo(responseFormat === strategies.tool)));
    const slow = tool({
      name: "slow",
      run: (_, runtime) => watch.around("the tool itself", work(runtime)),
    });
    const { middleware } = watch;
    return createAgent({
      model: modelAt(server),
      tools: [slow],
      responseFormat,
      middleware: [middleware],
    });
  }

  // G-agent-4
  test.each(waysToLeave)(
    "leaving it by %s at any event closes the socket and runs every finally",
    async (way) => {
      const agent = await watched();
      const start = (signal: AbortSignal): AsyncIterable<AgentEvent> => agent.stream("Rate it.", { signal });
      const most = kind === "that shows progress" ? await countOf(start) : eventsUntilItHangs;
      const numbers = Array.from({ length: most }, (_, at) => at + 1);
      const runs = await Promise.all(numbers.map((number) => leaveAt(start, number, way)));
      expect(await watch.settled()).toEqual([]);
      expect(watch.unhandled).toEqual([]);
      for (const [at, { types, error, reason, listeners }] of runs.entries()) {
        expect(listeners).toBe(0);
        if (way === "a break") expect(types).toHaveLength(at + 1);
        const ended = types.at(-1) === "finish" && way !== "the signal";
        expect(error).toBe(ended || way === "a break" ? undefined : reason);
      }
      const seen = new Set(runs.flatMap(({ types }) => types));
      expect([...seen]).toEqual(expect.arrayContaining(["text", "tool_args", "tool_progress", "message"]));
    },
  );
});

async function countOf(start: (signal: AbortSignal) => AsyncIterable<AgentEvent>): Promise<number> {
  const { types } = await leaveAt(start, Infinity, "a break");
  expect(types).toEqual(expect.arrayContaining(["structured_error", "structured", "finish"]));
  return types.length;
}

/** The number of events until only the tool is pending. */
const eventsUntilItHangs = 9;

/** A tool call, then an invalid rating, then a valid one, depending on the conversation so far. */
function answerTo(asTool: boolean): Answer {
  return async (response, { body }) => {
    const { messages } = body as { readonly messages: readonly { readonly role: string }[] };
    const turns = messages.filter(({ role }) => role === "assistant").length;
    if (turns === 0) {
      begin(response, content("I "), content("look."));
      begin(response, called("slow", '{"inp'), argued('ut": "it"}'));
      await delay(1);
      begin(response, finish("tool_calls"));
    } else {
      const rating = `{"rating": ${turns === 1 ? "10" : "5"}, "comment": "`;
      begin(response, asTool ? called("ProductRating", rating) : content(rating));
      begin(response, asTool ? argued('Fine"}') : content('Fine"}'));
      if (turns === 1) return; // the guard has closed it, or nobody does
      begin(response, finish(asTool ? "tool_calls" : "stop"));
    }
    response.end("data: [DONE]\n\n");
  };
}

function called(name: string, args: string): object {
  return delta({ tool_calls: [{ index: 0, id: "c1", function: { name, arguments: args } }] });
}

function argued(args: string): object {
  return delta({ tool_calls: [{ index: 0, function: { arguments: args } }] });
}
