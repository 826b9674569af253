import { extract } from "../../find/choose/extraction.js";
import type { JsonCoercion } from "../../json/coercion.js";
import { JsonParseError } from "../../json/errors.js";
import { JsonParser } from "../../json/parser.js";
import type { JsonParserOptions } from "../../json/options.js";
import type { JsonPatch } from "../../json/patch/patch.js";
import type { JsonRepair } from "../../json/repair.js";
import { MAX_REPAIRS } from "../../messages/merge/arguments.js";
import { type JsonValue, valueAt } from "../../json/value.js";
import type { ToolCallBlock } from "../../messages/blocks/blocks.js";
import type { FinishedCall } from "../../messages/merge/finished-call.js";
import type { GrowingCall } from "../../messages/merge/growing-call.js";
import type { AssistantMessage } from "../../messages/message.js";
import { jsonText } from "../../text/json-text.js";
import { isIndex, parsePointer } from "../../tree/pointer.js";
import { stoppedEarly } from "../../parsers/truncation.js";
import { coerceValue } from "../../schema/coerce/coerce-value.js";
import { guardOf } from "../../schema/guard-of.js";
import { SchemaViolation } from "../../schema/guard/violation.js";
import type { AgentEvent, StructuredEvent, StructuredItemEvent } from "../events.js";
import type { Plan } from "./plan.js";
import type { TargetSchema } from "./target.js";
import { isInstance } from "../../text/thrown.js";

/** Finds the structured response in one streaming answer of a model, and yields its patches. */
export class ResponseReader {
  /** The calls that are structured responses, in their order. More than one is an error. */
  readonly calls: FinishedCall[] = [];
  /** Whether patches were yielded, which need a reset if the response is discarded. */
  shown = false;
  /** The error of parsing or validating the stream. */
  failure: JsonParseError | SchemaViolation | undefined;
  /** Whether the response can no longer become valid. */
  canNeverMatch = false;

  readonly plan: Plan | undefined;
  private readonly targets: ReadonlyMap<string, TargetSchema>;
  private readonly hasTools: boolean;
  private readonly emit: (event: AgentEvent) => void;
  /** Parses the text. With the tool strategy, the text is the response only if the model calls no tool. */
  private document: JsonParser | undefined;
  /** With `openThinking`: the parser options for a text that begins with the answer. */
  private answerOptions: JsonParserOptions | undefined;
  /** The source of the patches: the document, or the first call that is a response. */
  private source: PartialValue | undefined;
  private readonly textRepairs: JsonRepair[] = [];
  private readonly inText: Reports = { coercions: [], items: [] };
  private readonly inCalls: Reports = { coercions: [], items: [] };
  private ended = false;
  /** The first character of the text after white space. */
  private first = "";

  constructor(
    plan: Plan | undefined,
    { hasTools, openThinking }: { readonly hasTools: boolean; readonly openThinking: boolean },
    emit: (event: AgentEvent) => void,
  ) {
    this.plan = plan;
    this.hasTools = hasTools;
    this.emit = emit;
    this.targets = new Map(plan?.kind === "tool" ? plan.targets.map((target) => [target.name, target]) : []);
    const onRepair = (repair: JsonRepair): void => {
      if (this.textRepairs.length < MAX_REPAIRS) this.textRepairs.push(repair);
    };
    if (plan === undefined) return;
    const options = {
      ...this.withReports(textOptions(plan), this.inText),
      extract,
      onRepair,
    } as const;
    this.document = new JsonParser({ ...options, openThinking });
    this.source = this.document;
    if (openThinking) this.answerOptions = options;
  }

  /** The server separates the reasoning, so the text does not begin in it. */
  onReasoning(): void {
    if (this.answerOptions === undefined || this.first !== "" || this.source !== this.document) return;
    this.document = new JsonParser(this.answerOptions);
    this.source = this.document;
    this.answerOptions = undefined;
  }

  /** The parser options for the arguments of a tool that is a structured response. */
  parserOptionsOf(name: string): JsonParserOptions | undefined {
    const target = this.targets.get(name);
    return target && this.withReports(target.parserOptions, this.inCalls);
  }

  /** Adds reports to parser options: of coercions, and of the elements of arrays if the plan asks for them. */
  private withReports(options: JsonParserOptions, reports: Reports): JsonParserOptions {
    return {
      ...options,
      onCoerce: (coercion) => {
        if (reports.coercions.length < MAX_REPAIRS) reports.coercions.push(coercion);
      },
      ...(this.plan?.items === true && {
        onComplete: (pointer, value) => {
          if (isIndex(pointer.slice(pointer.lastIndexOf("/") + 1)))
            reports.items.push({ type: "structured_item", pointer, value });
        },
      }),
    };
  }

  onText(text: string): void {
    if (this.first === "") this.first = text.trimStart().charAt(0);
    // With the tool strategy, JSON in prose beside tools is not the response.
    if (this.plan?.kind === "tool" && this.isProse()) return;
    const { document } = this;
    if (document === undefined || this.failure !== undefined) return;
    try {
      document.write(text);
    } catch (error) {
      this.fail(error);
    }
    this.show(document.takePatch(), document);
  }

  /** A call that is a response got more arguments. */
  onCallDelta(call: GrowingCall): void {
    const { args } = call;
    this.beginCall(args);
    if (args === this.source) this.show(args.takePatch(), args);
    else this.inCalls.items.length = 0; // of a second response, which is an error
    if (args.failure !== undefined) this.fail(args.failure);
  }

  /** A call that is a response is complete. Called again if text follows the call. */
  onCall(block: FinishedCall): void {
    const index = this.calls.findIndex((call) => call.id === block.id);
    if (index < 0) this.calls.push(block);
    else this.calls[index] = block;
    if (block.type !== "tool_call") return;
    // A provider may send the call whole, without deltas.
    const args = this.coerced(block);
    const whole = { snapshot: () => args, takePatch: () => [], value: args };
    if (!this.beginCall(whole)) return;
    if (this.plan?.items === true) this.reportItems(args);
    this.show([{ op: "replace", path: "", value: args }], whole);
  }

  /** The arguments of a whole call as a guard would have read them while they streamed. */
  private coerced({ name, args }: ToolCallBlock): JsonValue {
    const { plan } = this;
    const target = this.targets.get(name);
    if (plan?.failFast !== true || target === undefined) return args;
    return coerceValue(args, target.schema, plan)?.value ?? args;
  }

  /** Shows the first call instead of the text. Returns whether this is the first call. */
  private beginCall(args: PartialValue): boolean {
    if (this.source !== this.document) return false;
    if (this.shown) this.emit({ type: "structured_reset" });
    this.shown = false;
    this.failure = undefined;
    this.document = undefined;
    this.source = args;
    return true;
  }

  /** Reports the elements in arguments that came whole. */
  private reportItems(args: JsonValue): void {
    const parser = new JsonParser(this.withReports({ maxDepth: Infinity }, this.inCalls));
    parser.write(jsonText(args).text);
  }

  /** The message ended, or the model was stopped. */
  end({ finishReason }: AssistantMessage): void {
    const { document, source } = this;
    this.ended = true;
    if (document !== undefined && this.failure === undefined) {
      try {
        document.end({ truncated: stoppedEarly(finishReason) });
      } catch (error) {
        this.fail(error);
      }
    }
    if (source !== undefined) this.show(source.takePatch(), source);
  }

  /** Records that the response is invalid. Throws errors of any other kind. */
  fail(error: unknown): void {
    const { plan, document } = this;
    const invalid = isInstance(error, JsonParseError) || isInstance(error, SchemaViolation);
    if (plan === undefined || !invalid) throw error;
    this.failure ??= error;
    // Text with the tool strategy, and prose beside tools: a call may follow, so only the end of the answer is
    // decisive.
    const mayFollow = document !== undefined && (plan.kind === "tool" || this.isProse());
    this.canNeverMatch = plan.failFast && !mayFollow;
  }

  /** Beside tools, a model may write prose that mentions JSON before it calls one. */
  private isProse(): boolean {
    return this.hasTools && !"{[`<".includes(this.first);
  }

  private show(patch: JsonPatch, source: PartialValue): void {
    if (patch.length > 0) {
      this.shown = true;
      this.emit({ type: "structured_patch", patch });
    }
    const isText = source === this.document;
    // With the tool strategy, text is the response only if no call follows.
    if (isText && this.plan?.kind === "tool" && !this.ended) return;
    const { items } = isText ? this.inText : this.inCalls;
    if (items.length === 0) return;
    const { value } = source;
    for (const item of items.splice(0)) if (isElement(item.pointer, value)) this.emit(item);
  }

  /** The changes that were necessary to read the response, as fields of an event. */
  get changes(): Pick<StructuredEvent, "repairs" | "coercions"> {
    const [call] = this.calls;
    const repairs = call?.type === "tool_call" ? (call.repairs ?? []) : this.textRepairs;
    const { coercions } = call === undefined ? this.inText : this.inCalls;
    return { ...(repairs.length > 0 && { repairs }), ...(coercions.length > 0 && { coercions }) };
  }

  /** The known part of the response. */
  get value(): JsonValue | undefined {
    return this.source?.snapshot();
  }
}

/** A value that is being parsed. */
interface PartialValue {
  snapshot(): JsonValue | undefined;
  /** The live value, which is mutated. Reading it copies nothing. */
  readonly value: JsonValue | undefined;
  /** Returns the changes since the previous call. */
  takePatch(): JsonPatch;
}

/** The reports of the parser of the text, or of those of calls. */
interface Reports {
  readonly coercions: JsonCoercion[];
  /** The elements that are complete since the last patch. */
  readonly items: StructuredItemEvent[];
}

/**
 * Whether the place is in an array, and not a member of an object whose key is a number. Arrays that are not shown
 * count.
 */
function isElement(pointer: string, value: JsonValue | undefined): boolean {
  const parent = valueAt(value, parsePointer(pointer).slice(0, -1));
  return parent === undefined || Array.isArray(parent);
}

/** A text may match any of several schemas, so until its end it must only be an object, as each of them is. */
function textOptions({ targets }: Plan): JsonParserOptions {
  const [{ parserOptions }, second] = targets as readonly [TargetSchema, TargetSchema?];
  return second === undefined ? parserOptions : { ...parserOptions, guard: guardOf({ type: "object" }) };
}
