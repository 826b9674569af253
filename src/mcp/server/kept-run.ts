import type { JsonValue } from "../../json/value.js";
import { onAbort } from "../../stream/time/on-abort.js";
import { systemClock } from "../../stream/time/clock.js";
import { McpToolsError } from "../errors.js";
import type { McpCall } from "./server.js";

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

/**
 * A call in the protocol of 2026, in which a server cannot ask while it works: it answers with its questions, and the
 * client calls again with the answers. The run continues in between, in the memory of this process.
 */
export class KeptRun {
  readonly tool: string;
  private readonly id = crypto.randomUUID();
  private readonly timeout: number;
  private readonly controller = new AbortController();
  private readonly result: Promise<object>;
  private readonly questions = new Map<string, OpenQuestion>();
  private asked = 0;
  /** The questions that the client has got. A tool beside may have asked since. */
  private sent: readonly string[] = [];
  /** Called with the next question. */
  private readonly wakers: ((question: undefined) => void)[] = [];
  private timer: unknown;
  /** The request that is being answered. */
  private leg: McpCall | undefined;

  /**
   * @param tool the name of the tool, which all requests of the call have
   * @param timeout how long the answer to a question may take, in milliseconds
   * @param begin starts the run. Its promise does not reject
   */
  constructor(tool: string, timeout: number, begin: (run: KeptRun) => Promise<object>) {
    this.tool = tool;
    this.timeout = timeout;
    this.result = begin(this);
  }

  /** Aborted with the request that is being answered, and if an answer takes too long. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** The request that progress belongs to. */
  readonly current = (): McpCall | undefined => this.leg;

  /** Asks with the answer to the current request. */
  ask(params: object): Promise<unknown> {
    return new Promise((resolve) => {
      this.questions.set(`question_${++this.asked}`, { params, answer: resolve });
      for (const wake of this.wakers.splice(0)) wake(undefined);
    });
  }

  /** The result of the run, or its questions. */
  async respond(call: McpCall): Promise<object> {
    systemClock.clearTimeout(this.timer);
    this.leg = call;
    const remove = onAbort(call.signal, () => {
      this.controller.abort(call.signal.reason);
    });
    try {
      this.takeAnswers(call.answers);
      const question = new Promise<undefined>((resolve) => {
        if (this.questions.size > 0) resolve(undefined);
        this.wakers.push(resolve);
      });
      return (await Promise.race([this.result, question])) ?? this.wait();
    } finally {
      remove();
      this.leg = undefined;
    }
  }

  private takeAnswers(answers: Readonly<Record<string, unknown>>): void {
    for (const key of this.sent) {
      this.questions.get(key)?.answer(answers[key]);
      this.questions.delete(key);
    }
    this.sent = [];
  }

  private wait(): object {
    if (waiting.size >= maxWaiting) {
      this.controller.abort(new McpToolsError("approval", "Too many calls wait for decisions."));
      return this.result;
    }
    waiting.set(this.id, this);
    this.sent = [...this.questions.keys()];
    this.timer = systemClock.setTimeout(() => {
      waiting.delete(this.id);
      this.controller.abort(new McpToolsError("approval", "Nobody has decided in time."));
    }, this.timeout);
    const requests = Array.from(this.questions, ([key, { params }]): [string, JsonValue] => [
      key,
      { method: "elicitation/create", params: params as never },
    ]);
    return {
      resultType: "input_required",
      inputRequests: Object.fromEntries(requests),
      requestState: this.id,
    };
  }
}

/** How many runs may wait at a time. */
const maxWaiting = 1_000;
