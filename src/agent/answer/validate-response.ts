import { JsonParseError } from "../../json/errors.js";
import type { JsonCoercion } from "../../json/coercion.js";
import type { JsonValue } from "../../json/value.js";
import type { FinishReason } from "../../messages/finish-reason.js";
import { type CoercedValue, coerceValue, type CoerceOptions } from "../../schema/coerce/coerce-value.js";
import type { AssistantMessage } from "../../messages/message.js";
import type { FinishedCall } from "../../messages/blocks/read.js";
import { stoppedEarly, withTokenLimit } from "../../parsers/truncation.js";
import { formatIssues, type Validation } from "../../schema/schema.js";
import { SchemaViolation } from "../../schema/guard/violation.js";
import { safeText } from "../../tools/run/safe-text.js";
import { invalidOptions, AgentError, type AgentErrorCode, type AgentErrorDetails } from "../errors.js";
import type { Plan } from "./plan.js";
import type { ResponseReader } from "./response-reader.js";
import type { TargetSchema } from "./target.js";
import type { AgentState } from "../state.js";
import { isInstance } from "../../text/thrown.js";

/** The structured response is missing or invalid. */
interface InvalidResponse {
  readonly kind: "invalid";
  readonly error: AgentError;
}

/** A structured response that matches its schema. */
export interface ValidResponse {
  readonly kind: "response";
  readonly name: string;
  /** The value that the schema returned. */
  readonly value: unknown;
  /** The value that the model wrote, coerced. */
  readonly written: JsonValue;
  /** How it was coerced after it had streamed. */
  readonly coercions?: readonly JsonCoercion[];
}

/** Validates the structured response of an answer. */
export async function validateResponse(
  message: AssistantMessage,
  response: ResponseReader,
): Promise<ValidResponse | InvalidResponse> {
  const { plan, calls } = response;
  if (plan.kind !== "tool")
    return validateText(message, response, `JSON that matches the schema ${schemaNames(plan)}`);
  const [first, second] = calls;
  // Models that cannot be forced to call a tool may write the response as text.
  if (first === undefined) return validateText(message, response, `a call of ${schemaNames(plan)}`);
  if (second !== undefined) {
    const names = calls.map(({ name = "" }) => name);
    return invalid(
      "several_responses",
      `Expected one structured response, but the model wrote ${names.length} (${[...new Set(names)].join(", ")}).`,
      { names, value: response.value },
    );
  }
  const target = plan.targets.find(({ name }) => name === first.name) as TargetSchema;
  return first.type === "tool_call"
    ? validateAny(plan, [target], response.value ?? first.args, message.finishReason)
    : { kind: "invalid", error: unreadable(target, first, message, response) };
}

/** @param expected what the answer should have been, for an error message */
async function validateText(
  message: AssistantMessage,
  response: ResponseReader,
  expected: string,
): Promise<ValidResponse | InvalidResponse> {
  const { plan, failure, value } = response;
  const missing = isInstance(failure, JsonParseError) && failure.code === "empty";
  const [target, ...others] = plan.targets as readonly [TargetSchema, ...TargetSchema[]];
  if (failure === undefined && value !== undefined) {
    const result = await validateAny(plan, plan.targets, value, message.finishReason);
    if (result.kind === "response") return result;
    // The text of a model that was stopped is a beginning, even if it could pass for a whole document.
    if (others.length === 0 && !stoppedEarly(message.finishReason)) return result;
  }
  const error =
    missing || others.length > 0
      ? noResponse(plan, message, expected)
      : unreadable(target, undefined, message, response);
  return { kind: "invalid", error };
}

/**
 * Validates the response of a resumed run once more, because its schema returns the value to the caller.
 *
 * @throws {AgentError} `invalid_options` if the agent does not have its schema; `invalid_response` if it no longer
 *   matches
 */
export async function validateAgain(
  target: TargetSchema | undefined,
  { name, value }: NonNullable<AgentState["response"]>,
): Promise<ValidResponse> {
  if (target === undefined) {
    throw invalidOptions(
      `The state has a response of the schema "${name}", but the agent does not have this schema. Resume it with the agent that made it.`,
    );
  }
  const result = await validate(target, value);
  if (result.kind === "invalid") throw result.error;
  return result;
}

/**
 * The first schema that the value matches. If it matches none, the one that needs the fewest coercions.
 *
 * @returns the error of the first schema if there is no such schema, or more than one
 */
async function validateAny(
  coercing: CoerceOptions & Pick<Plan, "failFast">,
  targets: readonly TargetSchema[],
  written: JsonValue,
  finishReason: FinishReason | undefined,
): Promise<ValidResponse | InvalidResponse> {
  let error: InvalidResponse | undefined;
  for (const target of targets) {
    const result = await validate(target, written, finishReason);
    if (result.kind === "invalid") {
      error ??= result;
      continue;
    }
    // A guard has done the rest while the response streamed.
    const found = coercing.failFast ? undefined : coerceValue(written, target.schema, coercing);
    if (found?.problem === undefined) return found ? asCoerced(target, found, result, finishReason) : result;
    const message = `The response "${target.name}" can be read in two ways: ${found.problem}`;
    error ??= invalid("invalid_response", message, { names: [target.name], value: written, finishReason });
  }
  const readings = targets.flatMap((target) => {
    const found = coerceValue(written, target.schema, coercing);
    return found?.value === undefined ? [] : [{ target, ...found }];
  });
  const [best, second] = readings.sort((a, b) => a.coercions.length - b.coercions.length);
  const failure = error as InvalidResponse;
  return best !== undefined && best.coercions.length !== second?.coercions.length
    ? asCoerced(best.target, best, failure, finishReason)
    : failure;
}

/** The coerced value, if it is valid, else what is known of the written one. */
async function asCoerced(
  target: TargetSchema,
  { value, coercions }: CoercedValue,
  otherwise: ValidResponse | InvalidResponse,
  finishReason: FinishReason | undefined,
): Promise<ValidResponse | InvalidResponse> {
  const result = await validate(target, value, finishReason);
  return result.kind === "response" ? { ...result, coercions } : otherwise;
}

async function validate(
  { name, schema }: TargetSchema,
  written: JsonValue,
  finishReason?: FinishReason,
): Promise<ValidResponse | InvalidResponse> {
  let result: Validation<unknown>;
  try {
    result = await schema.validate(written);
  } catch (cause) {
    // A transform or refinement of the user threw, such as `new URL(text)`.
    const problem = safeText(cause);
    return invalid(
      "invalid_response",
      `The check of the schema "${name}" failed${problem === "" ? "." : `: ${problem}`}`,
      { names: [name], value: written, finishReason, cause },
    );
  }
  if (result.issues === undefined) return { kind: "response", name, value: result.value, written };
  const { issues } = result;
  return invalid(
    "invalid_response",
    withTokenLimit(
      `The response does not satisfy the schema "${name}". ${formatIssues(issues)}`,
      finishReason,
    ),
    {
      names: [name],
      value: written,
      finishReason,
      issues,
    },
  );
}

/** The error for a response that could not be parsed or validated while it streamed. */
function unreadable(
  { name }: TargetSchema,
  call: FinishedCall | undefined,
  { finishReason }: AssistantMessage,
  { failure, value }: ResponseReader,
): AgentError {
  const details = { names: [name], value, finishReason, cause: failure };
  const stopped = stoppedBy(finishReason, `The response "${name}" is incomplete`, details);
  // A text that was cut may not be the response at all, but a call is.
  if (isInstance(failure, SchemaViolation) && (call !== undefined || stopped === undefined)) {
    const issues = [failure.issue];
    return new AgentError(
      "invalid_response",
      `The response cannot satisfy the schema "${name}". ${failure.message}`,
      { ...details, issues },
    );
  }
  if (stopped !== undefined) return stopped;
  const problem = call?.type === "invalid_tool_call" ? call.error : (failure?.message ?? "");
  return new AgentError("invalid_response", `The response "${name}" cannot be parsed. ${problem}`, details);
}

function noResponse(plan: Plan, { finishReason, refusal }: AssistantMessage, expected: string): AgentError {
  const details = { names: plan.targets.map(({ name }) => name), finishReason };
  if (refusal !== undefined) {
    return new AgentError("refused", `The model declined to answer: ${refusal}`, details);
  }
  return (
    stoppedBy(finishReason, "There is no structured response", details) ??
    new AgentError(
      "no_response",
      `The model answered without a structured response. Expected ${expected}.`,
      details,
    )
  );
}

function stoppedBy(
  finishReason: FinishReason | undefined,
  what: string,
  details: AgentErrorDetails,
): AgentError | undefined {
  if (!stoppedEarly(finishReason)) return undefined;
  return finishReason === "length"
    ? new AgentError(
        "truncated",
        `${what}: the model reached its token limit. Raise maxTokens, or ask for a shorter response.`,
        details,
      )
    : new AgentError(
        "content_filter",
        `${what}: the content filter of the provider withheld the rest of the answer.`,
        details,
      );
}

function invalid(code: AgentErrorCode, message: string, details: AgentErrorDetails): InvalidResponse {
  return { kind: "invalid", error: new AgentError(code, message, details) };
}

/** The names of the schemas in an error message: `"a" or "b"`. */
export function schemaNames({ targets }: Plan): string {
  return targets.map(({ name }) => `"${name}"`).join(" or ");
}
