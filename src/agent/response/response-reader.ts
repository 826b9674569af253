import { JsonParseError } from "../../json/errors.js";
import { JsonParser } from "../../json/parser.js";
import type { JsonParserOptions } from "../../json/options.js";
import type { JsonPatch } from "../../json/patch/patch.js";
import type { JsonValue } from "../../json/value.js";
import type { FinishedCall } from "../../messages/merge/finished-call.js";
import type { GrowingCall } from "../../messages/merge/growing-call.js";
import type { AssistantMessage } from "../../messages/message.js";
import { stoppedEarly } from "../../parsers/truncation.js";
import { SchemaViolation } from "../../schema/guard/violation.js";
import type { AgentEvent } from "../events.js";
import { type Growing, StructuredPatch } from "./partial-events.js";
import type { Plan, Target } from "../loop/plan.js";

/** Finds the structured response in one answer of a model while it is written, and shows how it grows. */
export class ResponseReader {
  /** The calls that are structured responses, in their order. There should be one. */
  readonly calls: FinishedCall[] = [];
  /** Something was shown that has to be taken back if the response is given up. */
  shown = false;
  /** What is wrong with the response, as far as its reading tells. */
  failure: JsonParseError | SchemaViolation | undefined;
  /** Nothing that may still come can make it right. */
  hopeless = false;
  /** Where the response is text: whether there is a document in it, and what it says. */
  private readonly document: JsonParser | undefined;

  readonly plan: Plan | undefined;
  private readonly targets: ReadonlyMap<string, Target>;
  private readonly hasTools: boolean;
  private readonly emit: (event: AgentEvent) => void;
  /** What is shown: the document, or the first call, while it grows or at once if the provider gives it whole. */
  private growing: Growing | undefined;
  /** The first character of the text that is no white space. */
  private first = "";

  constructor(plan: Plan | undefined, hasTools: boolean, emit: (event: AgentEvent) => void) {
    this.plan = plan;
    this.hasTools = hasTools;
    this.emit = emit;
    this.targets = new Map(plan?.kind === "tool" ? plan.targets.map((target) => [target.name, target]) : []);
    const [only] = plan?.kind === "provider" ? plan.targets : [];
    this.document = only && new JsonParser({ ...only.reading, extract: "auto" });
    this.growing = this.document;
  }

  /** How the arguments of this tool are read, if they are a structured response. */
  readingOf(name: string): JsonParserOptions | undefined {
    return this.targets.get(name)?.reading;
  }

  /** Text that the model wrote. */
  onText(text: string): void {
    const { document } = this;
    if (document === undefined || this.failure !== undefined) return;
    if (this.first === "") this.first = text.trimStart().charAt(0);
    try {
      document.write(text);
    } catch (error) {
      this.fail(error);
    }
    this.show(document.takePatch(), document);
  }

  /** A response that is a call has grown. */
  onCallDelta(call: GrowingCall): void {
    const { args } = call;
    this.growing ??= args;
    if (args === this.growing) this.show(args.takePatch(), args);
    if (args.failure !== undefined) this.fail(args.failure);
  }

  /** A response that is a call has ended, perhaps once more. */
  onCall(block: FinishedCall): void {
    const known = this.calls.findIndex((call) => call.id === block.id);
    if (known < 0) this.calls.push(block);
    else this.calls[known] = block;
    if (this.growing !== undefined || block.type !== "tool_call") return;
    const { args } = block;
    this.growing = { snapshot: () => args, takePatch: () => [] };
    this.show([{ op: "replace", path: "", value: args }], this.growing);
  }

  /** The message has ended, or was stopped. */
  end({ finishReason }: AssistantMessage): void {
    const { document, growing } = this;
    if (this.failure === undefined) {
      try {
        document?.end({ truncated: stoppedEarly(finishReason) });
      } catch (error) {
        this.fail(error);
      }
    }
    if (growing !== undefined) this.show(growing.takePatch(), growing);
  }

  /** Reading some of the response has failed: it is wrong, or something else has happened. */
  fail(error: unknown): void {
    const { plan } = this;
    const wrong = error instanceof JsonParseError || error instanceof SchemaViolation;
    if (plan === undefined || !wrong) throw error;
    this.failure ??= error;
    // What comes before the calls of tools may be prose that speaks of JSON: then only the end tells.
    const prose = plan.kind === "provider" && this.hasTools && !"{[`".includes(this.first);
    this.hopeless = plan.failFast && !prose;
  }

  private show(patch: JsonPatch, growing: Growing): void {
    if (patch.length === 0) return;
    this.shown = true;
    this.emit(new StructuredPatch(patch, growing));
  }

  /** As far as the response is known. */
  get value(): JsonValue | undefined {
    return this.growing?.snapshot();
  }
}
