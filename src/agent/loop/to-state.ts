import { describe, isRecord, type Loose } from "../../messages/loose.js";
import type { Message } from "../../messages/message.js";
import { type MessagesInput, toMessages } from "../../messages/to-messages.js";
import { quoted } from "../../text/cut.js";
import { excerpt } from "../../text/excerpt.js";
import { invalidOptions, type AgentError } from "../errors.js";
import { openCalls } from "../../messages/open-calls.js";
import type { AgentInput, AgentState } from "../state.js";

/**
 * Converts the input of a run to its first state.
 *
 * @throws {MessageError} if a message is invalid
 * @throws {AgentError} `invalid_options` if `resume` is not a state, or new messages follow its unanswered tool calls
 */
export function toState(input: AgentInput): AgentState {
  if (isRecord(input) && "resume" in input) {
    const resume = checkedState(input.resume);
    const { messages } = input;
    if (messages === undefined) return resume;
    const { response: _response, ...state } = resume;
    const added = toMessages(messages);
    checkAnswered(resume.messages, added);
    return { ...state, retries: 0, status: "running", messages: [...resume.messages, ...added] };
  }
  const messages = isRecord(input) && "messages" in input ? input.messages : input;
  return { messages: toMessages(messages), step: 0, retries: 0, status: "running" };
}

/** Providers reject a tool call without a result before other messages. */
function checkAnswered(before: readonly Message[], added: readonly Message[]): void {
  const end = added.findIndex(({ role }) => role !== "tool");
  if (end < 0) return;
  const open = openCalls([...before, ...added.slice(0, end)]).map(({ name }) => quoted(name));
  if (open.length === 0) return;
  throw invalidOptions(
    `Tool calls of the state to resume have no result: ${excerpt(open.join(", "))}. Resume it without messages first, or begin these with a tool message for each call.`,
  );
}

/** A state often comes from a database, so its type proves nothing. */
function checkedState(state: unknown): AgentState {
  const fields = isRecord(state) ? state : noFields;
  const { messages, step, retries, status } = fields;
  if (!Array.isArray(messages)) throw badState(`an array of messages in it`, messages);
  if (!isCount(step)) throw badState("a number as its step", step);
  if (!isCount(retries)) throw badState("a number as its retries", retries);
  if (!statuses.includes(status)) throw badState(`${statuses.join(", ")} as its status`, status);
  for (const [name, { is, expected }] of Object.entries(optionalFields)) {
    const field = fields[name];
    if (!isAbsent(field) && !is(field)) throw badState(`${expected} as its ${name}`, field);
  }
  const known = Object.entries(fields).filter(
    ([name, field]) => !(Object.hasOwn(optionalFields, name) && isAbsent(field)),
  );
  return {
    ...Object.fromEntries(known),
    messages: toMessages(messages as MessagesInput),
  } as unknown as AgentState;
}

type OptionalField = Exclude<keyof AgentState, "messages" | "step" | "retries" | "status">;

/** The fields that a state may have, and what they are. */
const optionalFields: Readonly<
  Record<OptionalField, { readonly is: (value: unknown) => boolean; readonly expected: string }>
> = {
  usage: { is: isUsage, expected: "numbers of tokens" },
  response: { is: isResponse, expected: "a name and a value" },
  saved: { is: isRecord, expected: "what each paused call needs" },
  values: { is: isRecord, expected: "an object" },
  clientCalls: { is: Array.isArray, expected: "ids of calls" },
  approved: { is: isApprovals, expected: "whether each paused call is approved" },
};

const statuses: readonly unknown[] = ["running", "paused", "finished"];
const noFields: Loose = {};

/** A database may store null for a field that is absent. */
function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

function isUsage(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { details, ...totals } = value;
  return isCounts(totals) && (isAbsent(details) || (isRecord(details) && isCounts(details)));
}

function isCounts(tokens: Loose): boolean {
  return Object.values(tokens).every((it) => isAbsent(it) || Number.isFinite(it));
}

function isApprovals(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every((it) => typeof it === "boolean");
}

function isResponse(value: unknown): boolean {
  return isRecord(value) && typeof value["name"] === "string" && value["value"] !== undefined;
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0;
}

function badState(expected: string, found: unknown): AgentError {
  return invalidOptions(
    `Expected the state of a run to resume, with ${expected}, but got ${describe(found)}.`,
  );
}
