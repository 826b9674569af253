import type { ApprovalDecision } from "../../agent/decisions.js";
import { isObject, type JsonObject, type JsonValue } from "../../json/value.js";
import { textOf } from "../../messages/blocks/read.js";
import type { ToolMessage } from "../../messages/message.js";
import type { PageInput } from "../run/conversation.js";
import { RequestError } from "../http/request-error.js";
import { eachAt, objectAt, optional, stringAt, wrong } from "../http/request-fields.js";
import { fromAgUiMessages } from "./from-ag-ui-messages.js";

/** A validated `RunAgentInput` of an AG-UI client. All of it is client input. */
export interface AgUiInput extends PageInput {
  readonly threadId: string;
  readonly runId: string;
  /** Tools that the client runs; see `clientTools()`. */
  readonly tools: readonly AgUiTool[];
  /** The client's state. */
  readonly state: JsonValue | undefined;
  /** Context that the page provides to the agent. */
  readonly context: readonly AgUiContext[];
  readonly forwardedProps: JsonValue | undefined;
  /** Decisions about calls that waited. */
  readonly resume: readonly AgUiResume[];
}

/** A tool that the client runs. */
export interface AgUiTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of type object. */
  readonly parameters: JsonObject;
}

/** A piece of context that the page provides to the agent. */
export interface AgUiContext {
  readonly description: string;
  readonly value: string;
}

/** The answer to an interrupt. */
export interface AgUiResume {
  /** The id of the call. */
  readonly interruptId: string;
  readonly status: "resolved" | "cancelled";
  readonly payload?: JsonValue | undefined;
}

/**
 * Validates the body of an AG-UI request.
 *
 * @throws {RequestError} `invalid_input`, with the place of the fault
 */
export function readAgUiInput(body: JsonValue): AgUiInput {
  const input = objectAt(body, "The body");
  const messages = fromAgUiMessages(input["messages"], "messages");
  const tools = eachAt(input["tools"] ?? [], "tools", toTool);
  if (new Set(tools.map(({ name }) => name)).size < tools.length) {
    throw new RequestError("invalid_input", "Two of the tools have the same name.");
  }
  const resume = eachAt(input["resume"] ?? [], "resume", toResume);
  const answers = messages.slice(messages.findLastIndex(({ role }) => role !== "tool") + 1);
  return {
    threadId: stringAt(input["threadId"], "threadId"),
    runId: stringAt(input["runId"], "runId"),
    messages,
    tools,
    state: input["state"],
    context: eachAt(input["context"] ?? [], "context", toContext),
    forwardedProps: input["forwardedProps"],
    resume,
    decisions: Object.fromEntries(resume.flatMap(decisionOf)),
    results: Object.fromEntries((answers as readonly ToolMessage[]).map((it) => [it.toolCallId, textOf(it)])),
  };
}

/** The decision of an answer to an interrupt. Any other payload is for the program, which gets it as `resume`. */
function decisionOf({ interruptId, status, payload }: AgUiResume): [string, ApprovalDecision][] {
  if (status === "cancelled") return [[interruptId, { type: "reject" }]];
  const { approved, editedArgs: args, reason: message } = isObject(payload) ? payload : {};
  if (approved === true && isObject(args)) return [[interruptId, { type: "edit", args }]];
  if (approved === true && args === undefined) return [[interruptId, { type: "approve" }]];
  if (approved !== false) return [];
  return [[interruptId, { type: "reject", ...(typeof message === "string" && { message }) }]];
}

function toTool(value: JsonValue, place: string): AgUiTool {
  const tool = objectAt(value, place);
  const name = stringAt(tool["name"], `${place}.name`);
  if (!/^[\w-]{1,64}$/.test(name)) {
    wrong(`${place}.name`, "1 to 64 letters, digits, _ and -", name);
  }
  const parameters = optional(tool["parameters"], `${place}.parameters`, objectAt);
  return {
    name,
    description: optional(tool["description"], `${place}.description`, stringAt) ?? "",
    parameters: parameters ?? { type: "object", properties: {} },
  };
}

function toContext(value: JsonValue, place: string): AgUiContext {
  const context = objectAt(value, place);
  return {
    description: stringAt(context["description"], `${place}.description`),
    value: stringAt(context["value"], `${place}.value`),
  };
}

function toResume(value: JsonValue, place: string): AgUiResume {
  const entry = objectAt(value, place);
  const { status } = entry;
  if (status !== "resolved" && status !== "cancelled") {
    return wrong(`${place}.status`, "resolved or cancelled", status);
  }
  return {
    interruptId: stringAt(entry["interruptId"], `${place}.interruptId`),
    status,
    payload: entry["payload"],
  };
}
