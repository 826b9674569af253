import type { JsonObject } from "../../json/value.js";
import type { Message, ToolMessage } from "../../messages/message.js";
import { quoted } from "../../text/cut.js";
import { isCallBlock } from "../../messages/blocks/read.js";
import { invalidRequest, ModelError } from "../contract/errors.js";
import { requestFields } from "../loose.js";
import { toGeminiName } from "./function-name.js";
import { mediaOf, ownIdOf, toParts } from "./request/parts.js";

/** The tool results of one turn are one content, in the order of their calls: Gemini matches them by position. */
export function toGeminiContents(messages: readonly Message[]): JsonObject {
  const contents: JsonObject[] = [];
  const instructions: JsonObject[] = [];
  const calls = new Calls();
  let answers: ToolMessage[] = [];
  const flush = (): void => {
    if (answers.length > 0)
      contents.push({ role: "user", parts: calls.inOrder(answers).map(calls.toResponse) });
    answers = [];
  };
  for (const message of messages) {
    if (message.role === "tool") {
      answers.push(message);
      continue;
    }
    const parts = toParts(message);
    if (message.role === "system") {
      instructions.push(...parts);
      continue;
    }
    flush();
    if (message.role === "assistant") calls.add(message);
    // Gemini refuses a content without parts, as from an assistant message with only foreign thoughts.
    if (parts.length > 0) contents.push({ role: message.role === "assistant" ? "model" : "user", parts });
  }
  flush();
  if (contents.length === 0) {
    throw new ModelError("no_prompt", "Gemini needs at least one message besides system messages.");
  }
  return requestFields({
    systemInstruction: instructions.length === 0 ? undefined : { parts: instructions },
    contents,
  });
}

/** The calls of the conversation. Gemini requires the name of the tool in each result. */
class Calls {
  /** The `own` id is from Gemini. Other ids are ours or from another provider. */
  private readonly byId = new Map<
    string,
    { name: string | undefined; own: string | undefined; order: number }
  >();
  private count = 0;

  add({ content }: Message): void {
    for (const block of content.filter(isCallBlock)) {
      const { id, name } = block;
      // Some servers restart ids in each message, so a result belongs to the last call with its id.
      if (id !== undefined) this.byId.set(id, { name, own: ownIdOf(block), order: this.count++ });
    }
  }

  inOrder(answers: readonly ToolMessage[]): ToolMessage[] {
    const order = ({ toolCallId }: ToolMessage): number => this.byId.get(toolCallId)?.order ?? Infinity;
    return answers.toSorted((a, b) => (order(a) === order(b) ? 0 : order(a) - order(b)));
  }

  readonly toResponse = (message: ToolMessage): JsonObject => {
    const call = this.byId.get(message.toolCallId);
    const name = call?.name ?? message.name;
    if (name === undefined) {
      throw invalidRequest(
        `The tool message for the call ${quoted(message.toolCallId)} needs a name: no earlier call has this id, and Gemini matches results by name.`,
      );
    }
    const { text, media } = mediaOf(message);
    const response = message.status === "error" ? { error: text } : { output: text };
    const parts = media.length === 0 ? undefined : media;
    return { functionResponse: requestFields({ id: call?.own, name: toGeminiName(name), response, parts }) };
  };
}
