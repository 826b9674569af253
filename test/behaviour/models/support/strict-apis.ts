import { status, stream, type Answer } from "../../../models/support/server.js";

/** A message of a request. */
interface SentMessage {
  readonly role: string;
  readonly content?: string | null | readonly SentPart[];
  readonly tool_calls?: readonly { readonly id: string }[];
  readonly tool_call_id?: string;
}

interface SentPart {
  readonly type: string;
  readonly id?: string;
  readonly tool_use_id?: string;
  readonly source?: { readonly type: string; readonly media_type?: string };
}

/** Answers as Chat Completions does: with the words of its refusal, or with "Seen." */
export const strictChat: Answer = (response, request, index) => {
  const refusal = refusalOfChat((request.body as { messages: readonly SentMessage[] }).messages);
  const answer =
    refusal === undefined
      ? stream({ choices: [{ index: 0, delta: { content: "Seen." }, finish_reason: "stop" }] })
      : status(400, { error: { message: refusal, type: "invalid_request_error", param: null, code: null } });
  return answer(response, request, index);
};

/** Answers as the Messages API does. */
export const strictMessages: Answer = (response, request, index) => {
  const refusal = refusalOfMessages((request.body as { messages: readonly SentMessage[] }).messages);
  const answer =
    refusal === undefined
      ? stream(
          { type: "message_start", message: { id: "m", type: "message", role: "assistant", content: [] } },
          { type: "content_block_start", index: 0, content_block: { type: "text", text: "Seen." } },
          { type: "content_block_stop", index: 0 },
          { type: "message_delta", delta: { stop_reason: "end_turn" } },
          { type: "message_stop" },
        )
      : status(400, { type: "error", error: { type: "invalid_request_error", message: refusal } });
  return answer(response, request, index);
};

function refusalOfChat(messages: readonly SentMessage[]): string | undefined {
  let open: string[] = [];
  for (const [at, message] of messages.entries()) {
    const { role, content, tool_calls, tool_call_id } = message;
    const parts = Array.isArray(content) ? (content as readonly SentPart[]) : [];
    for (const { type } of parts) {
      if (!["text", "image_url", "input_audio", "refusal", "audio", "file"].includes(type)) {
        return `Invalid value: '${type}'. Supported values are: 'text', 'image_url', 'input_audio', 'refusal', 'audio', and 'file'.`;
      }
      if (type === "image_url" && role !== "user") {
        return `Invalid 'messages[${at}]'. Image URLs are only allowed for messages with role 'user', but this message with role '${role}' contains an image URL.`;
      }
      if (type !== "text" && role === "tool") return `Invalid 'messages[${at}]'. Only text is allowed.`;
    }
    if (role === "tool") {
      if (!open.includes(tool_call_id ?? "")) {
        return "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
      }
      open = open.filter((id) => id !== tool_call_id);
      continue;
    }
    if (open.length > 0) return unanswered(open);
    open = (tool_calls ?? []).map(({ id }) => id);
  }
  return open.length > 0 ? unanswered(open) : undefined;
}

function unanswered(ids: readonly string[]): string {
  return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${ids.join(", ")}`;
}

function refusalOfMessages(messages: readonly SentMessage[]): string | undefined {
  let open: string[] = [];
  for (const [at, { content }] of messages.entries()) {
    const parts = Array.isArray(content) ? (content as readonly SentPart[]) : [];
    const answered = parts.flatMap(({ tool_use_id }) => (tool_use_id === undefined ? [] : [tool_use_id]));
    const missing = open.filter((id) => !answered.includes(id));
    if (missing.length > 0) {
      return `messages.${at - 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
    }
    for (const [index, part] of parts.entries()) {
      const place = `messages.${at}.content.${index}`;
      if (!messageTags.includes(part.type)) {
        return `${place}: Input tag '${part.type}' found using 'type' does not match any of the expected tags: ${messageTags.map((tag) => `'${tag}'`).join(", ")}`;
      }
      const { source } = part;
      if (
        part.type === "image" &&
        source?.type === "base64" &&
        !imageTypes.includes(source.media_type ?? "")
      ) {
        return `${place}.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`;
      }
      const extra = Object.keys(part).find((name) => !knownFields.includes(name));
      if (extra !== undefined) return `${place}.${part.type}.${extra}: Extra inputs are not permitted`;
    }
    open = parts.flatMap(({ type, id }) => (type === "tool_use" && id !== undefined ? [id] : []));
  }
  return undefined;
}

const messageTags = ["document", "image", "redacted_thinking", "text", "thinking", "tool_result", "tool_use"];
const imageTypes = ["image/jpeg", "image/png", "image/gif", "image/webp"];
const knownFields = [
  ...[
    "type",
    "source",
    "title",
    "context",
    "citations",
    "data",
    "text",
    "thinking",
    "signature",
    "tool_use_id",
  ],
  ...["content", "is_error", "id", "name", "input", "cache_control"],
];
