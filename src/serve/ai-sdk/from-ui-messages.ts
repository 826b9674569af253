import { mediaKind } from "../../text/bytes/media-kind.js";
import { jsonText } from "../../text/json-text.js";
import type { JsonObject, JsonValue } from "../../json/value.js";
import type { AgentBlock, InputMessage } from "../run/agent-messages.js";
import { withoutOpenCalls } from "../run/without-open-calls.js";
import { arrayAt, eachAt, objectAt, optional, stringAt, wrong } from "../http/request-fields.js";

/**
 * Converts a request of `useChat` to messages for `agent.stream()`: text, files, tool calls and their results. A
 * structured response (a part `data-structured`) becomes JSON text of the assistant. Reasoning, sources and other data
 * are for the page only and are dropped.
 *
 * Treat all of it as client input, including messages with the role assistant or tool.
 *
 * @param body the body of the request: `{ messages, … }`
 * @throws {RequestError} `invalid_input` for an invalid message, with its place
 *
 * @example
 * ```ts
 * import { createAgent } from "millrace";
 * import { boundedHandler, fromUiMessages, toUiMessageStream } from "millrace/serve";
 * import { scriptedModel } from "millrace/testing";
 *
 * const agent = createAgent({ model: scriptedModel(["Hello."]) });
 * const handle = boundedHandler((body, { signal }) =>
 *   toUiMessageStream(agent.stream(fromUiMessages(body), { signal })),
 * );
 * const messages = [{ id: "1", role: "user", parts: [{ type: "text", text: "Hi" }] }];
 * const request = new Request("http://localhost/chat", {
 *   method: "POST",
 *   headers: { "content-type": "application/json" },
 *   body: JSON.stringify({ messages }),
 * });
 * console.log((await handle(request)).status); // 200
 * ```
 */
export function fromUiMessages(
  body: JsonValue,
  { openCalls = false }: FromUiMessagesOptions = {},
): InputMessage[] {
  const messages = objectAt(body, "The body")["messages"];
  return withoutOpenCalls(eachAt(messages, "messages", fromMessage).flat(), openCalls);
}

/** The options of `fromUiMessages()`. */
export interface FromUiMessagesOptions {
  /**
   * Whether the messages may end with unanswered calls, as when calls wait for approval. They run with the arguments
   * that the client sent, so use it only if middleware decides about each call. Default: false.
   */
  readonly openCalls?: boolean;
}

function fromMessage(value: JsonValue, place: string): readonly InputMessage[] {
  const message = objectAt(value, place);
  const { role } = message;
  const at = `${place}.parts`;
  const parts = arrayAt(message["parts"], at).map((part, index) => objectAt(part, `${at}[${index}]`));
  if (role === "system" || role === "user") {
    const content = parts.flatMap((part, index) => fromPart(part, `${at}[${index}]`));
    return [{ role, content }];
  }
  if (role !== "assistant") return wrong(`${place}.role`, "system, user or assistant", role);
  // Each step was one message, followed by its tool results.
  const steps: UiStep[] = [];
  for (const [index, part] of parts.entries()) {
    if (part["type"] === "step-start" || steps.length === 0)
      steps.push({ content: [], calls: [], results: [] });
    addPart(steps.at(-1) as UiStep, part, `${at}[${index}]`);
  }
  return steps.flatMap(({ content, calls, results }) =>
    content.length + calls.length === 0
      ? []
      : [{ role: "assistant" as const, content, tool_calls: calls }, ...results],
  );
}

interface UiStep {
  readonly content: AgentBlock[];
  readonly calls: {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
  readonly results: InputMessage[];
}

function addPart(step: UiStep, part: JsonObject, place: string): void {
  const type = stringAt(part["type"], `${place}.type`);
  if (type !== "dynamic-tool" && !type.startsWith("tool-")) {
    step.content.push(...fromPart(part, place));
    return;
  }
  const { state, input, output, preliminary } = part;
  if (state === "input-streaming") return;
  const id = stringAt(part["toolCallId"], `${place}.toolCallId`);
  const name = type === "dynamic-tool" ? stringAt(part["toolName"], `${place}.toolName`) : type.slice(5);
  const args = input ?? part["rawInput"] ?? {};
  step.calls.push({
    id,
    function: { name, arguments: typeof args === "string" ? args : jsonText(args).text },
  });
  const answer = (text: string, status: "success" | "error"): void => {
    step.results.push({ role: "tool", toolCallId: id, name, status, content: [{ type: "text", text }] });
  };
  if (state === "output-available") {
    if (preliminary === true) return; // the latest progress of a tool that was stopped
    answer(typeof output === "string" ? output : jsonText(output ?? null).text, "success");
  } else if (state === "output-error") answer(stringAt(part["errorText"], `${place}.errorText`), "error");
  else if (state === "output-denied") answer(`The call of "${name}" was rejected by a person.`, "error");
}

function fromPart(part: JsonObject, place: string): AgentBlock[] {
  switch (stringAt(part["type"], `${place}.type`)) {
    case "text": {
      const text = stringAt(part["text"], `${place}.text`);
      return text === "" ? [] : [{ type: "text", text }];
    }
    case "file": {
      const mimeType = stringAt(part["mediaType"], `${place}.mediaType`);
      const url = stringAt(part["url"], `${place}.url`);
      const filename = optional(part["filename"], `${place}.filename`, stringAt);
      const type = mediaKind(mimeType);
      if (type !== "file") return [{ type, url, mimeType }];
      return [{ type, url, mimeType, ...(filename === undefined ? undefined : { filename }) }];
    }
    case "data-structured":
      return [{ type: "text", text: jsonText(part["data"] ?? null).text }];
    default:
      return [];
  }
}
