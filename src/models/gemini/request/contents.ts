import type { JsonObject } from "../../../json/value.js";
import type { Message, ToolMessage } from "../../../messages/message.js";
import { ModelError } from "../../contract/errors.js";
import { requestFields } from "../../loose.js";
import { mediaOf, toParts } from "./parts.js";

/**
 * Messages as Gemini takes them: what the system says goes into one `systemInstruction`, wherever it stands; the answers
 * of the tools of one turn go into one content, in the order of their calls, as Gemini counts them against each other.
 *
 * @throws {ModelError} `invalid_request` for what Gemini has no form for
 */
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
    const parts = message.content.flatMap((block) => toParts(block, message.role));
    if (message.role === "system") {
      instructions.push(...parts);
      continue;
    }
    flush();
    if (message.role === "assistant") calls.add(message);
    // A content without parts is refused: an assistant that said nothing but thoughts that Gemini does not know.
    if (parts.length > 0) contents.push({ role: message.role === "assistant" ? "model" : "user", parts });
  }
  flush();
  if (contents.length === 0) {
    throw new ModelError("invalid_request", "Gemini needs a message besides those of the system.");
  }
  return requestFields({
    systemInstruction: instructions.length === 0 ? undefined : { parts: instructions },
    contents,
  });
}

/** The calls of the conversation: Gemini wants to know the name of the tool that answers. */
class Calls {
  private readonly byId = new Map<string, Call>();
  private count = 0;

  add({ content }: Message): void {
    for (const block of content) {
      if (
        block.type !== "tool_call" &&
        block.type !== "invalid_tool_call" &&
        block.type !== "tool_call_chunk"
      )
        continue;
      const { id, name, metadata } = block;
      // Said again, as ids of servers that count from the start in each message are: the last one is meant.
      if (id !== undefined) this.byId.set(id, { name, id: metadata?.["id"], order: this.count++ });
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
      throw new ModelError(
        "invalid_request",
        `Gemini needs the name of the tool that answers ${JSON.stringify(message.toolCallId)}: no call before it has that id, and the message has no name.`,
      );
    }
    const { text, media } = mediaOf(message);
    const response = message.status === "error" ? { error: text } : { output: text };
    const parts = media.length === 0 ? undefined : media;
    return { functionResponse: requestFields({ id: call?.id, name, response, parts }) };
  };
}

interface Call {
  readonly name: string | undefined;
  /** As Gemini gave it, if it did: others are ours, or another provider's. */
  readonly id: JsonObject[string] | undefined;
  readonly order: number;
}
