import type { JsonObject, JsonValue } from "../../json/value.js";
import type { InputMessage } from "../run/agent-messages.js";
import { RequestError } from "../http/request-error.js";
import { eachAt, objectAt, optional, stringAt, wrong } from "../http/request-fields.js";
import { withoutOpenCalls } from "../http/request-open-calls.js";
import { fromAgUiMessages } from "./from-ag-ui-messages.js";

/** What an AG-UI client asks for (its `RunAgentInput`), read and checked. All of it is what the client says. */
export interface AgUiInput {
  readonly threadId: string;
  readonly runId: string;
  /** The conversation, for `agent.stream()`. */
  readonly messages: readonly InputMessage[];
  /** Tools that the client runs; see `clientTools()`. */
  readonly tools: readonly AgUiTool[];
  /** The client's state. */
  readonly state: JsonValue | undefined;
  /** What the page wants the agent to know. */
  readonly context: readonly AgUiContext[];
  readonly forwardedProps: JsonValue | undefined;
  /** What was decided about calls that waited. */
  readonly resume: readonly AgUiResume[];
}

/** A tool that the client runs. */
export interface AgUiTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: JsonObject;
}

/** Something that the page wants the agent to know. */
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
 * @param openCalls whether the conversation may end with calls that nobody has answered
 * @throws {RequestError} `invalid_input`, with the place of what is wrong
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

function toTool(given: JsonValue, place: string): AgUiTool {
  const tool = objectAt(given, place);
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

function toContext(given: JsonValue, place: string): AgUiContext {
  const context = objectAt(given, place);
  return {
    description: stringAt(context["description"], `${place}.description`),
    value: stringAt(context["value"], `${place}.value`),
  };
}

function toResume(given: JsonValue, place: string): AgUiResume {
  const entry = objectAt(given, place);
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
