import type { JsonValue } from "../../json/value.js";
import { noop } from "../../stream/core/result.js";
import { onAbort } from "../../stream/time/on-abort.js";
import { systemClock } from "../../stream/time/clock.js";
import { McpToolsError } from "../errors.js";
import type { McpCall } from "./server.js";

/** The requests of a call, as its run sees them. */
export interface Running {
  readonly signal: AbortSignal;
  /** The request that progress belongs to. */
  readonly current: () => McpCall | undefined;
  /** Asks the user of the client. Absent if the client cannot ask. */
  readonly ask: ((params: object) => Promise<unknown>) | undefined;
}

/** A question to the user of a client, and who waits for the answer. */
interface OpenQuestion {
  readonly params: object;
  readonly answer: (answer: unknown) => void;
}

/** The runs that wait for an answer, by ids that cannot be guessed. */
const waiting = new Map<string, KeptRun>();

/** Takes a run that waits for the answer that a request brings. */
export function takeKeptRun(id: string): KeptRun | undefined {
  const run = waiting.get(id);
  waiting.delete(id);
  return run;
}

/** A run that continues between the requests of its call. */
export interface KeptRun {
  /** The name of the tool, which all requests of the call have. */
  readonly tool: string;
  /** The result of the run, or its questions. */
  respond(call: McpCall): Promise<object>;
}

/**
 * A call in the protocol of 2026, in which a server cannot ask while it works: it answers with its questions, and the
 * client calls again with the answers. The run continues in between, in the memory of this process.
 *
 * @param timeout how long the answer to a question may take, in milliseconds
 * @param begin starts the run. Its promise does not reject. Its signal is aborted with the request that is being
 *   answered, and if an answer takes too long
 */
export function keptRun(tool: string, timeout: number, begin: (run: Running) => Promise<object>): KeptRun {
  const id = crypto.randomUUID();
  const controller = new AbortController();
  const questions = new Map<string, OpenQuestion>();
  let asked = 0;
  /** The questions that the client has got. A tool beside may have asked since. */
  let sent: readonly string[] = [];
  /** Tells the request that is being answered of the next question. */
  let wake = noop;
  let timer: unknown;
  /** The request that is being answered. */
  let leg: McpCall | undefined;

  const result = begin({
    signal: controller.signal,
    current: () => leg,
    ask: (params) =>
      new Promise((resolve) => {
        questions.set(`question_${++asked}`, { params, answer: resolve });
        wake();
      }),
  });
  const takeAnswers = (answers: Readonly<Record<string, unknown>>): void => {
    for (const key of sent) {
      questions.get(key)?.answer(answers[key]);
      questions.delete(key);
    }
    sent = [];
  };
  const wait = (): object => {
    if (waiting.size >= maxWaiting) {
      controller.abort(new McpToolsError("approval", "Too many calls wait for decisions."));
      return result;
    }
    waiting.set(id, run);
    sent = [...questions.keys()];
    timer = systemClock.setTimeout(() => {
      waiting.delete(id);
      controller.abort(new McpToolsError("approval", "Nobody has decided in time."));
    }, timeout);
    const requests = Array.from(questions, ([key, { params }]): [string, JsonValue] => [
      key,
      { method: "elicitation/create", params: params as never },
    ]);
    return { resultType: "input_required", inputRequests: Object.fromEntries(requests), requestState: id };
  };
  const run: KeptRun = {
    tool,
    async respond(call) {
      systemClock.clearTimeout(timer);
      leg = call;
      const remove = onAbort(call.signal, () => {
        controller.abort(call.signal.reason);
      });
      try {
        takeAnswers(call.answers);
        const question = new Promise<void>((resolve) => {
          wake = resolve;
          if (questions.size > 0) resolve();
        });
        return (await Promise.race([result, question])) ?? wait();
      } finally {
        remove();
        leg = undefined;
      }
    },
  };
  return run;
}

const maxWaiting = 1_000;
