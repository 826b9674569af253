import type { AgentEvent } from "../agent/events.js";
import { closeReason } from "../agent/loop/run.js";
import { AgentError } from "../agent/errors.js";
import { GrowingValue } from "../json/patch/growing-value.js";
import type { Usage } from "../messages/usage.js";
import { noop } from "../stream/core/result.js";
import type { CallRecorder } from "../stream/shared-call.js";

/** An event and how many came before it. */
export interface Numbered {
  readonly number: number;
  readonly event: AgentEvent;
}

/**
 * The results of a call so far: its value, and short events for views that open late. It keeps the value instead of
 * the patches that led to it, so its size is that of the object.
 */
export class CallRecord implements CallRecorder<AgentEvent, Numbered> {
  readonly final: Promise<unknown>;
  /** Resolves at the end of the call, however it ended. */
  readonly usage: Promise<Usage | undefined>;
  /** The number of events. */
  length = 0;
  /** Why there are no more events; `undefined` if there are, or if the call is complete. */
  failure: { readonly error: unknown } | undefined;

  private resolve: (value: unknown) => void = noop;
  private reject: (error: unknown) => void = noop;
  private resolveUsage: (usage: Usage | undefined) => void = noop;
  private total: Usage | undefined;
  private complete = false;
  /** The events of the last step, without patches and the model's text. */
  private kept: AgentEvent[] = [];
  private readonly value = new GrowingValue();

  constructor() {
    this.final = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    this.final.catch(noop); // a failure that nobody asks for must not end the process
    this.usage = new Promise((resolve) => {
      this.resolveUsage = resolve;
    });
  }

  add(event: AgentEvent): Numbered {
    switch (event.type) {
      case "structured_patch":
        this.value.apply(event.patch);
        break;
      case "structured_reset":
        this.value.reset();
        break;
      case "text":
      case "reasoning":
        break;
      case "step":
        this.kept = [event];
        break;
      case "answer_reset":
        this.kept = this.kept.slice(0, 1);
        break;
      default:
        this.kept.push(event);
        if (event.type === "usage") this.total = event.total;
        else if (event.type === "structured") {
          this.complete = true;
          this.resolve(event.value);
        }
    }
    return { number: this.length++, event };
  }

  /** The call has ended. */
  end(): void {
    if (this.complete) this.resolveUsage(this.total);
    else this.fail(new AgentError("ended", "The run ended without a structured response."));
  }

  /** The last view left early. */
  leave(): void {
    this.fail(closeReason);
  }

  fail(error: unknown): void {
    if (!this.complete) this.failure ??= { error };
    this.reject(error);
    this.resolveUsage(this.total);
  }

  /** The events so far, in short. */
  events(): AgentEvent[] {
    const value = this.value.snapshot();
    const [step, ...others] = this.kept;
    if (step === undefined) return [];
    if (value === undefined) return [step, ...others];
    return [step, { type: "structured_patch", patch: [{ op: "replace", path: "", value }] }, ...others];
  }
}
