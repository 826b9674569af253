import { MillraceError } from "../errors.js";
import type { FinishReason } from "../messages/finish-reason.js";
import type { SchemaIssue } from "../schema/schema.js";
import type { AgentState } from "./state.js";

/**
 * Before the first model call:
 * - `invalid_options`: an option is invalid, or the state does not fit the agent
 *
 * Problems with the structured response. For the first three, the agent tells the model and asks again, within
 * `handleError` and `maxRetries`. The last three end the run.
 * - `invalid_response`: it is not JSON or does not satisfy the schema; `issues` has the places, `value` the known part
 * - `several_responses`: the model wrote several responses instead of one
 * - `no_response`: the model answered with something else
 * - `truncated`: the model reached its token limit
 * - `content_filter`: the provider withheld the rest of the answer
 * - `refused`: the model declined to answer
 *
 * Problems during the run:
 * - `unknown_tool`: the model called a tool that does not exist; it gets a message about it, and the run continues
 * - `limit`: a middleware that limits calls refused this one
 * - `max_depth`: a call would run an agent inside too many others; the model gets a message about it
 * - `rejected`: a person rejected a tool call; the model gets a message about it, and the run continues
 * - `invalid_state`: the changes of a tool cannot be applied to the values of the state, or do not satisfy `stateSchema`
 * - `no_result`: a middleware ended a tool call without a result
 * - `invalid_middleware`: a hook of a middleware returned or yielded something else than its kind of hook does
 * - `blocked`: `redactText()` found a text that may not go to the model, or come from it
 * - `log_failed`: the function `log` of `logging()` threw or rejected; `cause` has its error
 * - `max_steps`: the run reached `maxSteps` model calls without an answer
 * - `empty`: the model's stream ended without content and finish reason
 * - `ended`: `invoke()` has no structured response to return, because the run ended or paused before it
 */
export type AgentErrorCode =
  | "invalid_options"
  | "invalid_response"
  | "several_responses"
  | "no_response"
  | "truncated"
  | "content_filter"
  | "refused"
  | "unknown_tool"
  | "limit"
  | "max_depth"
  | "rejected"
  | "invalid_state"
  | "no_result"
  | "invalid_middleware"
  | "blocked"
  | "log_failed"
  | "max_steps"
  | "empty"
  | "ended";

/** The fields of an `AgentError`. */
export interface AgentErrorDetails {
  readonly state?: AgentState | undefined;
  readonly value?: unknown;
  readonly issues?: readonly SchemaIssue[] | undefined;
  readonly names?: readonly string[] | undefined;
  readonly finishReason?: FinishReason | undefined;
  /** The end of the message that is for programmers alone. */
  readonly advice?: string | undefined;
  readonly cause?: unknown;
}

/** A run failed. The error has the state of the run up to this point, if it had begun. */
export class AgentError extends MillraceError<AgentErrorCode> {
  override readonly name: string = "AgentError";
  /** The state to pass as `resume`, with all messages so far. */
  declare readonly state: AgentState | undefined;
  /** The known part of the structured response. */
  declare readonly value: unknown;
  /** The issues that the schema found in the response; otherwise empty. */
  declare readonly issues: readonly SchemaIssue[];
  /** The names of the schemas in question. */
  declare readonly names: readonly string[];
  /** Why the model stopped. */
  declare readonly finishReason: FinishReason | undefined;

  constructor(code: AgentErrorCode, message: string, details: AgentErrorDetails = {}) {
    super(code, message, { ...details, issues: details.issues ?? [], names: details.names ?? [] });
  }

  /** Copies the error and adds the state of the run. */
  withState(state: AgentState): AgentError {
    const { code, message, value, issues, names, finishReason, advice, cause } = this;
    return new AgentError(code, message, { state, value, issues, names, finishReason, advice, cause });
  }
}

/** The error of an option, or of a state to resume, that does not fit the agent. */
export function invalidOptions(problem: string, details?: AgentErrorDetails): AgentError {
  return new AgentError("invalid_options", problem, details);
}

/** An error as plain data, for events that are sent as JSON. */
export interface EventProblem {
  readonly name: string;
  readonly code: string;
  readonly message: string;
}

export function eventProblem({ name, code, message }: MillraceError): EventProblem {
  return { name, code, message };
}
