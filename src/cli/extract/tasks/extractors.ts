import { sha256Of } from "../seen-table.js";
import { initModel } from "../../../models/init-model.js";
import { ModelError } from "../../../models/contract/errors.js";
import { changesOf, extractOne } from "../../../object/extract/extract-one.js";
import { limitedAgent } from "../../../object/extract/limited-agent.js";
import { type FoundLimit, RateLimiter } from "../../../object/extract/rate-limiter.js";
import type { Agent } from "../../../agent/agent.js";
import type { JsonValue } from "../../../json/value.js";
import { noop } from "../../../stream/core/result.js";
import { systemClock } from "../../../stream/time/clock.js";
import { cut } from "../../../text/cut.js";
import { isInstance } from "../../../text/thrown.js";
import { messageOf } from "../../../text/excerpt.js";
import { connection } from "../../commands/connection.js";
import type { Io } from "../../terminal/io.js";
import type { TaskCall, TaskOutcome } from "./task.js";

interface LimitedAgent {
  readonly agent: Agent;
  readonly limiter: RateLimiter;
}

/** Works on tasks. The tasks of a run share a limiter. */
export class Extractors {
  private readonly env: Io["env"];
  private readonly signal: AbortSignal;
  private readonly byCall = new Map<string, Promise<LimitedAgent>>();
  private readonly onLimit: (run: string, found: FoundLimit) => void;
  private part = 1;

  /** @param onLimit called when the server of a run has refused a request, to tell other workers */
  constructor(env: Io["env"], signal: AbortSignal, onLimit: (run: string, found: FoundLimit) => void) {
    this.env = env;
    this.signal = signal;
    this.onLimit = onLimit;
  }

  /** Uses a part of each limit, because other workers use the rest. */
  setPart(part: number): void {
    this.part = part;
    for (const extractor of this.byCall.values()) {
      extractor.then(({ limiter }) => limiter.setPart(part)).catch(noop); // its tasks report why there is none
    }
  }

  /** Another worker was refused. */
  slowTo(run: string, found: FoundLimit): void {
    for (const [key, extractor] of this.byCall) {
      if (sha256Of(key) === run) extractor.then(({ limiter }) => limiter.slowTo(found)).catch(noop);
    }
  }

  /** Rejects only when the signal is aborted. */
  async run(call: TaskCall, prompt: string): Promise<TaskOutcome> {
    const retries: Record<string, number> = {};
    try {
      const { agent } = await this.extractor(call);
      const result = await extractOne<JsonValue, string>(prompt, 0, this.signal, {
        agent,
        prompt: (text) => text,
        maxRequestRetries: 8,
        onRetry: ({ failure }) => (retries[failure] = (retries[failure] ?? 0) + 1),
        clock: systemClock,
        random: Math.random,
      });
      const facts = { attempts: result.attempts, usage: result.usage, retries };
      if (result.ok) return { ...facts, object: result.object, ...changesOf(result) };
      return { ...facts, failure: result.failure, message: cut(messageOf(result.error), maxMessage) };
    } catch (error) {
      this.signal.throwIfAborted();
      if (isInstance(error, ModelError)) return { fatal: error.message };
      const facts = { attempts: 0, usage: undefined, retries };
      return { ...facts, failure: "other", message: cut(messageOf(error), maxMessage) };
    }
  }

  private extractor(call: TaskCall): Promise<LimitedAgent> {
    const key = JSON.stringify(call);
    let extractor = this.byCall.get(key);
    if (extractor === undefined) {
      extractor = this.create(call, sha256Of(key));
      extractor.catch(() => this.byCall.delete(key));
    }
    // The runs are in the order of their last use.
    this.byCall.delete(key);
    this.byCall.set(key, extractor);
    const [oldest] = this.byCall.keys();
    if (this.byCall.size > maxCalls && oldest !== undefined) this.byCall.delete(oldest);
    return extractor;
  }

  private async create(
    { model, baseURL, schema, system, ...limits }: TaskCall,
    run: string,
  ): Promise<LimitedAgent> {
    const limiter = new RateLimiter({
      requestsPerMinute: limits.requestsPerMinute ?? Infinity,
      tokensPerMinute: limits.tokensPerMinute ?? Infinity,
      clock: systemClock,
      random: Math.random,
      onLimit: (found) => {
        this.onLimit(run, found);
      },
    });
    const options = { schema, ...(system !== undefined && { system }) };
    const agent = limitedAgent(
      { ...options, model: await initModel(model, connection(model, this.env, baseURL)) },
      limiter,
    );
    limiter.setPart(this.part);
    return { agent, limiter };
  }
}

/** The runs that are remembered. */
const maxCalls = 16;
const maxMessage = 1_000;
