import { JsonParseError } from "../../json/errors.js";
import type { JsonParserOptions } from "../../json/options.js";
import type { JsonValue } from "../../json/value.js";
import type { FinishedCall } from "../../messages/blocks/read.js";
import type { GrowingCall } from "../../messages/merge/growing-call.js";
import type { AssistantMessage } from "../../messages/message.js";
import { stoppedEarly } from "../../parsers/truncation.js";
import { SchemaViolation } from "../../schema/guard/violation.js";
import { isInstance } from "../../text/thrown.js";
import type { AgentEvent } from "../events.js";
import { type ResponseInCall, responseInCall } from "./response-in-call.js";
import type { Plan } from "./plan.js";
import type { ResponseChanges, ResponseSource } from "./response-source.js";
import {
  opensDocument,
  type ResponseInText,
  responseInText,
  type ResponseTextOptions,
} from "./response-in-text.js";

/**
 * Finds the structured response in one streaming answer, and yields its changes. The text is the response until the
 * first call that is one begins. Then what was shown of the text is taken back, and the call is shown.
 */
export class ResponseReader {
  /** Whether the response can no longer become valid. */
  canNeverMatch = false;
  /** Whether patches were yielded, which need a reset if the response is discarded. */
  shown = false;

  readonly plan: Plan;
  private text: ResponseInText;
  private readonly options: ResponseTextOptions;
  /** The text since a pause inside of a document. The model may continue that, or begin another one. */
  private sincePause: string | undefined;
  private readonly call: ResponseInCall;
  private current: ResponseSource;
  private readonly emit: (event: AgentEvent) => void;

  constructor(plan: Plan, options: ResponseTextOptions, emit: (event: AgentEvent) => void) {
    this.plan = plan;
    this.emit = emit;
    this.options = options;
    this.text = responseInText(plan, options);
    this.call = responseInCall(plan);
    this.current = this.text;
    const { begun } = options;
    if (begun === undefined || !opensDocument(begun, plan, options)) return;
    this.sincePause = "";
    this.attempt(() => {
      this.text.write(begun);
    });
  }

  get hasTools(): boolean {
    return this.options.hasTools;
  }

  get calls(): readonly FinishedCall[] {
    return this.call.calls;
  }

  get value(): JsonValue | undefined {
    return this.current.snapshot();
  }

  get failure(): ResponseSource["failure"] {
    return this.current.failure;
  }

  get changes(): ResponseChanges {
    return this.current.changes();
  }

  onReasoning(): void {
    if (this.current === this.text) this.text.onReasoning();
  }

  onText(text: string): void {
    if (this.current !== this.text) return;
    if (this.sincePause !== undefined) this.sincePause += text;
    this.attempt(() => {
      this.text.write(text);
    });
    this.show();
  }

  isResponse(name: string): boolean {
    return this.call.targets.has(name);
  }

  parserOptionsOf(name: string): JsonParserOptions | undefined {
    return this.call.parserOptionsOf(name);
  }

  /** A call that is a response got more arguments. */
  onCallDelta({ args }: GrowingCall): void {
    this.call.grow(args);
    this.showCall();
    if (args.failure !== undefined) this.fail(args.failure);
  }

  /** A call that is a response is complete. */
  onCall(block: FinishedCall): void {
    if (this.call.end(block)) this.showCall();
  }

  /** The message ended, or the model was stopped. */
  end({ finishReason }: AssistantMessage): void {
    if (this.current === this.text) {
      if (this.sincePause !== undefined && !stoppedEarly(finishReason)) {
        const all = `${this.options.begun}${this.sincePause}`;
        // Closed by a repair, it would be only a part of what the model meant.
        if (opensDocument(all, this.plan, this.options)) this.beginAgain();
      }
      this.attempt(() => {
        this.text.end(finishReason);
      });
    }
    this.show();
  }

  /** Records that the response is invalid. Throws errors of any other kind. */
  fail(error: unknown): void {
    if (!isInstance(error, JsonParseError) && !isInstance(error, SchemaViolation)) throw error;
    if (this.current === this.text && this.beginAgain()) return;
    this.current.failure ??= error;
    // If a call may follow, only the end of the answer is decisive.
    const mayFollow = this.current === this.text && this.text.mayBeFollowedByCall();
    this.canNeverMatch = this.plan.failFast && !mayFollow;
  }

  /** Reads the text since the pause alone. Returns false if there was no pause, or it is read so. */
  private beginAgain(): boolean {
    const { sincePause: text, options } = this;
    if (text === undefined) return false;
    this.sincePause = undefined;
    if (this.shown) this.emit({ type: "structured_reset" });
    this.shown = false;
    this.current = this.text = responseInText(this.plan, options);
    this.attempt(() => {
      this.text.write(text);
    });
    return true;
  }

  private attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.fail(error);
    }
  }

  /** Shows the first call instead of the text. */
  private showCall(): void {
    if (this.current !== this.call) {
      if (this.shown) this.emit({ type: "structured_reset" });
      this.shown = false;
      this.current = this.call;
    }
    this.show();
  }

  private show(): void {
    const { current } = this;
    const patch = current.takePatch();
    if (patch.length > 0) {
      this.shown = true;
      this.emit({ type: "structured_patch", patch });
    }
    for (const item of current.takeItems()) this.emit(item);
  }
}
