import type { AgentEvent } from "../agent/events.js";
import { closeReason } from "../agent/loop/run.js";
import { AgentError } from "../agent/errors.js";
import { GrowingValue } from "../json/patch/growing-value.js";
import type { Usage } from "../messages/usage.js";
import { deferred } from "../stream/core/result.js";
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
  private readonly response = deferred<unknown>();
  private readonly spent = deferred<Usage | undefined>();
  readonly final: Promise<unknown> = this.response.promise;
  /** Resolves at the end of the call, however it ended. */
  readonly usage: Promise<Usage | undefined> = this.spent.promise;
  /** The number of events. */
  length = 0;
  /** Why there are no more events; `undefined` if there are, or if the call is complete. */
  failure: { readonly error: unknown } | undefined;

  private total: Usage | undefined;
  private complete = false;
  /** The events of the last step, without patches and the model's text. */
  private kept: AgentEvent[] = [];
  private readonly value = new GrowingValue();

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
          this.response.resolve(event.value);
        }
    }
    return { number: this.length++, event };
  }

  end(): void {
    if (this.complete) this.spent.resolve(this.total);
    else this.fail(new AgentError("ended", "The run ended without a structured response."));
  }

  leave(): void {
    this.fail(closeReason);
  }

  fail(error: unknown): void {
    if (!this.complete) this.failure ??= { error };
    this.response.reject(error);
    this.spent.resolve(this.total);
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
