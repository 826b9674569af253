import type { JsonObject, JsonValue } from "../../json/value.js";
import type { InputMessage } from "../run/agent-messages.js";
import { RequestError } from "../http/request-error.js";
import { eachAt, objectAt, optional, stringAt, wrong } from "../http/request-fields.js";
import { withoutOpenCalls } from "../run/without-open-calls.js";
import { fromAgUiMessages } from "./from-ag-ui-messages.js";

/** A validated `RunAgentInput` of an AG-UI client. All of it is client input. */
export interface AgUiInput {
  readonly threadId: string;
  readonly runId: string;
  /** The conversation, for `agent.stream()`. */
  readonly messages: readonly InputMessage[];
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
 * @param openCalls whether the conversation may end with unanswered calls
 * @throws {RequestError} `invalid_input`, with the place of the fault
 */
export function readAgUiInput(body: JsonValue, openCalls: boolean): AgUiInput {
  const input = objectAt(body, "The body");
  const messages = withoutOpenCalls(fromAgUiMessages(input["messages"], "messages"), openCalls);
  const tools = optional(input["tools"], "tools", (value, place) => eachAt(value, place, toTool)) ?? [];
  if (new Set(tools.map(({ name }) => name)).size < tools.length) {
    throw new RequestError("invalid_input", "Two of the tools have the same name.");
  }
  return {
    threadId: stringAt(input["threadId"], "threadId"),
    runId: stringAt(input["runId"], "runId"),
    messages,
    tools,
    state: input["state"],
    context: optional(input["context"], "context", (value, place) => eachAt(value, place, toContext)) ?? [],
    forwardedProps: input["forwardedProps"],
    resume: optional(input["resume"], "resume", (value, place) => eachAt(value, place, toResume)) ?? [],
  };
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
