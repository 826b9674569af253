import type { MediaView, MessageView, ThreadView, ToolCallView } from "../../agent/views.js";
import type { JsonObject } from "../../json/value.js";
import type { ContentBlock } from "../../messages/blocks/blocks.js";
import { isFinishedCall, pageUrlOf, textOf } from "../../messages/blocks/read.js";
import type { Message } from "../../messages/message.js";
import { isCorrection } from "../../serve/run/page-messages.js";
import { allMessages, type ThreadRecord } from "../thread-record.js";

/** @param hidden the names of the calls that are not shown */
export function threadView(record: ThreadRecord | undefined, hidden: ReadonlySet<string>): ThreadView {
  if (record === undefined) return emptyView;
  const { title, status, state, problem, partialResponse } = record;
  return {
    title,
    status,
    messages: messageViews(allMessages(record), status === "paused", hidden),
    object: partialResponse ?? state.response?.value ?? null,
    error: problem ?? null,
    retry: null,
    usage: state.usage ?? null,
  };
}

const emptyView: ThreadView = {
  title: "",
  status: "idle",
  messages: [],
  object: null,
  error: null,
  retry: null,
  usage: null,
};

/** The view of a step that begins. */
export function emptyStep(index: number): JsonObject {
  return { id: idOf(index), role: "assistant", text: "", reasoning: "", calls: [], media: [], partial: true };
}

/** A conversation grows at its end, so the place of a message names it. */
function idOf(index: number): string {
  return `m${index}`;
}

function messageViews(
  messages: readonly Message[],
  isPaused: boolean,
  hidden: ReadonlySet<string>,
): MessageView[] {
  const views: MessageView[] = [];
  for (const message of messages) {
    if (isCorrection(message)) continue;
    const { role, content } = message;
    const id = idOf(views.length);
    const media = content.flatMap(mediaIn);
    if (role === "user") views.push({ id, role, text: textOf(message), media });
    else if (role === "assistant") {
      const calls = content.flatMap((block) => callIn(block, isPaused, hidden));
      const reasoning = content.map((it) => (it.type === "reasoning" ? it.reasoning : "")).join("");
      const partial = message.finishReason === undefined;
      views.push({ id, role, text: textOf(message), reasoning, calls, media, partial });
    } else if (role === "tool") answer(views, message, media);
  }
  return views;
}

function callIn(block: ContentBlock, isPaused: boolean, hidden: ReadonlySet<string>): ToolCallView[] {
  if (!isFinishedCall(block)) return [];
  const { id, name = "" } = block;
  if (hidden.has(name)) return [];
  const args = block.type === "tool_call" ? block.args : null;
  return [{ id, name, args, status: isPaused ? "paused" : "called", progress: null, result: null }];
}

/** Puts the result of a tool into its call, in the latest message that has it. */
function answer(
  views: MessageView[],
  message: Extract<Message, { role: "tool" }>,
  media: readonly MediaView[],
): void {
  const at = views.findLastIndex((it) => it.role === "assistant");
  const view = views[at];
  if (view?.role !== "assistant") return;
  const calls = view.calls.map((call): ToolCallView => {
    if (call.id !== message.toolCallId) return call;
    return { ...call, status: message.status === "error" ? "failed" : "done", result: textOf(message) };
  });
  views[at] = { ...view, calls, media: [...view.media, ...media] };
}

function mediaIn(block: ContentBlock): MediaView[] {
  const { type } = block;
  if (type !== "image" && type !== "audio" && type !== "video" && type !== "file") return [];
  const { mimeType } = block;
  const url = pageUrlOf(block, mimeType);
  return url === undefined ? [] : [{ type, url, mimeType: mimeType ?? null }];
}
