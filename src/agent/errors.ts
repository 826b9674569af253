import { MillraceError } from "../errors.js";
import type { FinishReason } from "../messages/finish-reason.js";
import type { SchemaIssue } from "../schema/schema.js";
import type { AgentState } from "./loop/state.js";

/**
 * Before anything is asked:
 * - `invalid_options`: the agent cannot be made so, or the state cannot be resumed
 *
 * About the structured response; each but the last three is answered to the model and asked for again, as far as
 * `handleError` and `maxRetries` allow:
 * - `invalid_response`: it is no JSON, or does not satisfy the schema; `issues` says where, `value` what was known
 * - `several_responses`: there were several at once, and one is wanted
 * - `no_response`: the model answered with something else
 * - `truncated`: the model came to its token limit
 * - `content_filter`: the provider withheld the rest
 * - `refused`: the model declined to answer
 *
 * About the run:
 * - `unknown_tool`: the model has called a tool that there is not; it is told so, and the run goes on
 * - `limit`: a middleware that limits calls does not allow this one
 * - `rejected`: a person has rejected the call of a tool; the model is told so, and the run goes on
 * - `max_steps`: the model was asked as often as it may be, and still wants to go on
 * - `empty`: the stream of the model ended without anything
 * - `ended`: `invoke()` was to give a structured response, but the run was ended or paused before there was one
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
  | "rejected"
  | "max_steps"
  | "empty"
  | "ended";

/** What an `AgentError` knows. */
export interface AgentErrorDetails {
  readonly state?: AgentState | undefined;
  readonly value?: unknown;
  readonly issues?: readonly SchemaIssue[] | undefined;
  readonly names?: readonly string[] | undefined;
  readonly finishReason?: FinishReason | undefined;
  readonly cause?: unknown;
}

/** A run that could not come to its end. Carries what there was by then. */
export class AgentError extends MillraceError<AgentErrorCode> {
  override readonly name: string = "AgentError";
  /** What `resume` takes: all messages until then. */
  readonly state: AgentState | undefined;
  /** The structured response as far as it was known. */
  readonly value: unknown;
  /** What is wrong with it, where its schema says so; otherwise empty. */
  readonly issues: readonly SchemaIssue[];
  /** The names of the schemas that it is about. */
  readonly names: readonly string[];
  /** Why the model stopped. */
  readonly finishReason: FinishReason | undefined;

  constructor(code: AgentErrorCode, message: string, details: AgentErrorDetails = {}) {
    super(code, message, details.cause === undefined ? undefined : { cause: details.cause });
    this.state = details.state;
    this.value = details.value;
    this.issues = details.issues ?? [];
    this.names = details.names ?? [];
    this.finishReason = details.finishReason;
  }

  /** The same, with the state of the run. */
  withState(state: AgentState): AgentError {
    const { code, message, value, issues, names, finishReason, cause } = this;
    return new AgentError(code, message, { state, value, issues, names, finishReason, cause });
  }
}
