import { extract } from "../../find/choose/extraction.js";
import { JsonParseError } from "../../json/errors.js";
import type { JsonParserOptions } from "../../json/options.js";
import { JsonParser } from "../../json/parser.js";
import type { FinishReason } from "../../messages/finish-reason.js";
import { stoppedEarly } from "../../parsers/truncation.js";
import { SchemaViolation } from "../../schema/guard/violation.js";
import { isInstance } from "../../text/thrown.js";
import type { Plan } from "./plan.js";
import { guardOfMembers, parserOptions, responseReports, type ResponseSource } from "./response-source.js";
import type { TargetSchema } from "./target.js";

/** The facts about a model call that decide how its text is read. */
export interface ResponseTextOptions {
  readonly hasTools: boolean;
  readonly openThinking: boolean;
  /** The text of the turn before the model paused it. */
  readonly begun?: string;
}

/** The text of an answer, as the structured response. */
export interface ResponseInText extends ResponseSource {
  /** The server separates the reasoning, so the text does not begin in it. */
  onReasoning(): void;
  /** @throws what the parser and its guard throw */
  write(text: string): void;
  /** @throws what the parser and its guard throw */
  end(finishReason: FinishReason | undefined): void;
  /** With the tool strategy, and after prose beside tools, a call may follow that is the response. */
  mayBeFollowedByCall(): boolean;
}

/** Reads the structured response in the text of an answer. */
export function responseInText(plan: Plan, { hasTools, openThinking }: ResponseTextOptions): ResponseInText {
  const isForTool = plan.kind === "tool";
  const { of, onRepair, takeItems, changes } = responseReports(plan);
  const options: JsonParserOptions = { ...of(textOptions(plan)), extract, onRepair };
  let parser = new JsonParser({ ...options, openThinking });
  /** The first character of the text after white space. */
  let first = "";
  let ended = false;
  let mayBeThinking = openThinking;
  /** Beside tools, a model may write prose that mentions JSON before it calls one. */
  const isProse = (): boolean => hasTools && !"{[`<".includes(first);
  const source: ResponseInText = {
    failure: undefined,
    onReasoning() {
      if (mayBeThinking && first === "") parser = new JsonParser(options);
      mayBeThinking = false;
    },
    write(text) {
      if (first === "") first = text.trimStart().charAt(0);
      // With the tool strategy, JSON in prose beside tools is not the response.
      if (source.failure === undefined && !(isForTool && isProse())) parser.write(text);
    },
    end(finishReason) {
      ended = true;
      if (source.failure === undefined) parser.end({ truncated: stoppedEarly(finishReason) });
    },
    mayBeFollowedByCall: () => isForTool || isProse(),
    snapshot: () => parser.snapshot(),
    takePatch: () => parser.takePatch(),
    // With the tool strategy, text is the response only if no call follows.
    takeItems: () => (isForTool && !ended ? [] : takeItems()),
    changes: () => changes(),
  };
  return source;
}

/** Whether a document begins in this text and does not end. */
export function opensDocument(text: string, plan: Plan, options: ResponseTextOptions): boolean {
  const source = responseInText(plan, options);
  try {
    source.write(text);
    source.end(undefined);
  } catch (error) {
    if (isInstance(error, JsonParseError)) return error.code !== "empty";
    if (isInstance(error, SchemaViolation)) return true;
    throw error;
  }
  return source.changes().repairs?.some(({ kind }) => kind === "missing_closer") === true;
}

/** A text may match any of several schemas, so until its end it must only be an object, as each of them is. */
function textOptions(plan: Plan): JsonParserOptions {
  const [first, second] = plan.targets as readonly [TargetSchema, TargetSchema?];
  const options = parserOptions(plan, first);
  return second === undefined ? options : { ...options, guard: guardOfMembers(plan) };
}
