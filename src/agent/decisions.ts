import { isObject, type JsonObject, type JsonValue } from "../json/value.js";
import { isRecord } from "../messages/loose.js";
import { openCalls } from "../messages/open-calls.js";
import { excerpt } from "../text/excerpt.js";
import { isInstance } from "../text/thrown.js";
import { invalidOptions } from "./errors.js";
import type { Journal } from "./journal.js";
import type { AgentState } from "./state.js";

/** The decision of a person about a tool call. */
export type ApprovalDecision =
  /** Run the call unchanged. */
  | { readonly type: "approve" }
  /** Run the call with these arguments. They also replace those of the model in the conversation. */
  | { readonly type: "edit"; readonly args: JsonObject }
  /** Do not run the call, and tell the model so. */
  | { readonly type: "reject"; readonly message?: string };

/** Decisions about calls that wait, by the ids of the calls. */
export type Decisions = Readonly<Record<string, ApprovalDecision>>;

/**
 * Reads the decisions of a run.
 *
 * @throws {AgentError} `invalid_options` if they are not an object
 */
export function toDecisions(given: unknown = {}): ReadonlyMap<string, ApprovalDecision> {
  if (isById(given))
    return new Map(Object.entries(given).map(([id, decision]) => [id, toDecision(decision as JsonValue)]));
  throw invalidOptions(
    `The decisions of a run are { [id of the call]: { type: "approve" } }, not ${shown(given)}.`,
  );
}

/** @throws {AgentError} `invalid_options` if the results of a run are not an object */
export function checkResults(given: unknown = {}): void {
  if (!isById(given))
    throw invalidOptions(`The results of a run are { [id of the call]: result }, not ${shown(given)}.`);
}

/** A `Map` has no own members, so it would count as empty. */
function isById(given: unknown): given is Readonly<Record<string, unknown>> {
  return isRecord(given) && !isInstance(given, Map);
}

function shown(given: unknown): string {
  return isInstance(given, Map) ? "a Map" : excerpt(given, 200);
}

/** Reads a decision, which often came from outside. A call is never approved by anything else. */
export function toDecision(message: JsonValue): ApprovalDecision {
  const { type, args, message: reason } = isObject(message) ? message : {};
  if (type === "approve") return { type };
  if (type === "edit" && isObject(args)) return { type, args };
  if (type === "reject") return { type, ...(typeof reason === "string" && { message: reason }) };
  return { type: "reject", message: `The decision on the call is not valid: ${excerpt(message)}.` };
}

/**
 * Whether the call can have the decision or the result that the run was given: nobody knows a call that the model has
 * yet to write. Each attempt of a durable run begins with the same state, so a call of it may have waited before.
 */
export function hasWaited(of: {
  readonly call: { readonly id: string };
  readonly state: AgentState;
  readonly journal?: Journal;
}): boolean {
  return of.journal !== undefined || openCalls(of.state.messages).some(({ id }) => id === of.call.id);
}
