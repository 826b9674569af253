import { JsonParseError } from "../../json/errors.js";
import type { JsonValue } from "../../json/value.js";
import type { FinishedCall } from "../../messages/merge/finished-call.js";
import { stoppedEarly } from "../../parsers/truncation.js";
import { formatIssues } from "../../schema/schema.js";
import { SchemaViolation } from "../../schema/guard/violation.js";
import type { Captured } from "./capture.js";
import { AgentError, type AgentErrorCode, type AgentErrorDetails } from "../errors.js";
import type { Plan, Target } from "../loop/plan.js";
import type { AgentState } from "../loop/state.js";

/** What an answer of the model comes to. */
export type Verdict =
  /** It has called tools, and waits for them. */
  | { readonly kind: "calls" }
  /** It is done, and no structured response was asked for. */
  | { readonly kind: "answer" }
  | Response
  | Wrong;

/** There should be a structured response, but there is none, or it cannot be taken. */
interface Wrong {
  readonly kind: "wrong";
  readonly error: AgentError;
}

/** The structured response, checked. */
export interface Response {
  readonly kind: "response";
  readonly name: string;
  /** As the schema makes it. */
  readonly value: unknown;
  /** As the model wrote it. */
  readonly written: JsonValue;
}

/** @throws {AgentError} `empty` if the model gave nothing at all */
export async function judge(captured: Captured): Promise<Verdict> {
  const { message, calls, response } = captured;
  const { plan } = response;
  if (message.content.length === 0 && message.finishReason === undefined && message.refusal === undefined) {
    throw new AgentError(
      "empty",
      "The stream of the model ended without anything: no content, no finish reason.",
    );
  }
  if (plan === undefined) return { kind: calls.length > 0 ? "calls" : "answer" };
  return plan.kind === "tool" ? judgeCalls(plan, captured) : judgeDocument(plan, captured);
}

async function judgeCalls(plan: Plan, { message, calls, response }: Captured): Promise<Verdict> {
  const [first, second] = response.calls;
  if (first === undefined) {
    if (calls.length > 0) return { kind: "calls" };
    return { kind: "wrong", error: noResponse(plan, message, `a call of ${namesOf(plan)}`) };
  }
  if (second !== undefined) {
    const names = response.calls.map(({ name = "" }) => name);
    return wrong(
      "several_responses",
      `The model gave several structured responses at once (${names.join(", ")}), but one is wanted.`,
      {
        names,
        value: response.value,
      },
    );
  }
  const target = plan.targets.find(({ name }) => name === first.name) as Target;
  return first.type === "tool_call"
    ? check(target, first.args)
    : { kind: "wrong", error: unreadable(target, first, message, response) };
}

async function judgeDocument(plan: Plan, { message, calls, response }: Captured): Promise<Verdict> {
  // What the model says beside the calls of tools is not its answer yet.
  if (calls.length > 0) return { kind: "calls" };
  const [target] = plan.targets as readonly [Target];
  const { failure, value } = response;
  if (failure === undefined && value !== undefined) return check(target, value);
  const none = failure instanceof JsonParseError && failure.code === "empty";
  return {
    kind: "wrong",
    error: none
      ? noResponse(plan, message, `JSON of the schema "${target.name}"`)
      : unreadable(target, undefined, message, response),
  };
}

/**
 * The response of a run that is resumed.
 *
 * @throws {AgentError} `invalid_options` if it is of no schema of the agent; `invalid_response` if it no longer satisfies it
 */
export async function checkAgain(
  plan: Plan | undefined,
  { name, value }: NonNullable<AgentState["response"]>,
): Promise<Response> {
  const target = plan?.targets.find((it) => it.name === name);
  if (target === undefined) {
    throw new AgentError(
      "invalid_options",
      `The state has a response of the schema "${name}", which the agent does not have.`,
    );
  }
  const verdict = await check(target, value);
  if (verdict.kind === "wrong") throw verdict.error;
  return verdict;
}

async function check({ name, schema }: Target, written: JsonValue): Promise<Response | Wrong> {
  const result = await schema.validate(written);
  if (result.issues === undefined) return { kind: "response", name, value: result.value, written };
  const { issues } = result;
  return wrong(
    "invalid_response",
    `The response does not satisfy the schema "${name}". ${formatIssues(issues)}`,
    {
      names: [name],
      value: written,
      issues,
    },
  );
}

/** The response is there, but its reading has failed, at its end or before. */
function unreadable(
  { name }: Target,
  call: FinishedCall | undefined,
  { finishReason }: Captured["message"],
  { failure, value }: Captured["response"],
): AgentError {
  const details = { names: [name], value, finishReason, cause: failure };
  if (failure instanceof SchemaViolation) {
    const issues = [failure.issue];
    return new AgentError(
      "invalid_response",
      `The response cannot satisfy the schema "${name}". ${failure.message}`,
      { ...details, issues },
    );
  }
  const stopped = stoppedBy(finishReason, `The response "${name}" is cut`, details);
  if (stopped !== undefined) return stopped;
  const problem = call?.type === "invalid_tool_call" ? call.error : (failure?.message ?? "");
  return new AgentError("invalid_response", `The response "${name}" cannot be read. ${problem}`, details);
}

/** The model has ended without the response. */
function noResponse(plan: Plan, { finishReason, refusal }: Captured["message"], wanted: string): AgentError {
  const details = { names: plan.targets.map(({ name }) => name), finishReason };
  if (refusal !== undefined) {
    return new AgentError("refused", `The model declined to answer: ${refusal}`, details);
  }
  return (
    stoppedBy(finishReason, "There is no structured response", details) ??
    new AgentError(
      "no_response",
      `The model answered without a structured response: expected ${wanted}.`,
      details,
    )
  );
}

function stoppedBy(
  finishReason: Captured["message"]["finishReason"],
  what: string,
  details: AgentErrorDetails,
): AgentError | undefined {
  if (!stoppedEarly(finishReason)) return undefined;
  return finishReason === "length"
    ? new AgentError(
        "truncated",
        `${what}: the model came to its token limit. Allow it more tokens (maxTokens), or ask for less.`,
        details,
      )
    : new AgentError(
        "content_filter",
        `${what}: the provider withheld the rest of the answer (content filter).`,
        details,
      );
}

function wrong(code: AgentErrorCode, message: string, details: AgentErrorDetails): Wrong {
  return { kind: "wrong", error: new AgentError(code, message, details) };
}

export function namesOf({ targets }: Plan): string {
  return targets.map(({ name }) => `"${name}"`).join(" or ");
}
