import { extract } from "../../find/choose/extraction.js";
import type { JsonParserOptions } from "../../json/options.js";
import { JsonParser } from "../../json/parser.js";
import type { JsonPatch } from "../../json/patch/patch.js";
import type { JsonValue } from "../../json/value.js";
import type { FinishReason } from "../../messages/finish-reason.js";
import { stoppedEarly } from "../../parsers/truncation.js";
import { guardOf } from "../../schema/guard-of.js";
import type { StructuredItemEvent } from "../events.js";
import type { Plan } from "./plan.js";
import { ResponseReports, type ResponseSource } from "./response-source.js";
import type { TargetSchema } from "./target.js";

/** The facts about a model call that decide how its text is read. */
export interface ResponseTextOptions {
  readonly hasTools: boolean;
  readonly openThinking: boolean;
}

/** Reads the structured response in the text of an answer. */
export class ResponseInText implements ResponseSource {
  failure: ResponseSource["failure"];
  private readonly plan: Plan;
  private readonly hasTools: boolean;
  private readonly reports: ResponseReports;
  private parser: JsonParser;
  /** With `openThinking`: the parser options for a text that begins with the answer. */
  private answerOptions: JsonParserOptions | undefined;
  /** The first character of the text after white space. */
  private first = "";
  private ended = false;

  constructor(plan: Plan, { hasTools, openThinking }: ResponseTextOptions) {
    this.plan = plan;
    this.hasTools = hasTools;
    this.reports = new ResponseReports(plan);
    const { onRepair } = this.reports;
    const options = { ...this.reports.of(textOptions(plan)), extract, onRepair };
    this.parser = new JsonParser({ ...options, openThinking });
    if (openThinking) this.answerOptions = options;
  }

  /** The server separates the reasoning, so the text does not begin in it. */
  onReasoning(): void {
    if (this.answerOptions === undefined || this.first !== "") return;
    this.parser = new JsonParser(this.answerOptions);
    this.answerOptions = undefined;
  }

  /** @throws what the parser and its guard throw */
  write(text: string): void {
    if (this.first === "") this.first = text.trimStart().charAt(0);
    // With the tool strategy, JSON in prose beside tools is not the response.
    if (this.failure !== undefined || (this.plan.kind === "tool" && this.isProse())) return;
    this.parser.write(text);
  }

  /** @throws what the parser and its guard throw */
  end(finishReason: FinishReason | undefined): void {
    this.ended = true;
    if (this.failure === undefined) this.parser.end({ truncated: stoppedEarly(finishReason) });
  }

  /** With the tool strategy, and after prose beside tools, a call may follow that is the response. */
  get mayBeFollowedByCall(): boolean {
    return this.plan.kind === "tool" || this.isProse();
  }

  snapshot(): JsonValue | undefined {
    return this.parser.snapshot();
  }

  takePatch(): JsonPatch {
    return this.parser.takePatch();
  }

  takeItems(): readonly StructuredItemEvent[] {
    // With the tool strategy, text is the response only if no call follows.
    return this.plan.kind === "tool" && !this.ended ? [] : this.reports.takeItems();
  }

  get changes(): ResponseSource["changes"] {
    return this.reports.changes();
  }

  /** Beside tools, a model may write prose that mentions JSON before it calls one. */
  private isProse(): boolean {
    return this.hasTools && !"{[`<".includes(this.first);
  }
}

/** A text may match any of several schemas, so until its end it must only be an object, as each of them is. */
function textOptions({ targets }: Plan): JsonParserOptions {
  const [{ parserOptions }, second] = targets as readonly [TargetSchema, TargetSchema?];
  return second === undefined ? parserOptions : { ...parserOptions, guard: guardOf({ type: "object" }) };
}
