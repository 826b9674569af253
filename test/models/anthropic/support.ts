import {
  type AssistantMessage,
  type CallOptions,
  collect,
  from,
  last,
  mergeChunks,
  type MessageChunk,
  ModelError,
  type MessagesInput,
  pipe,
} from "millrace";
import {
  anthropic,
  type AnthropicExtra,
  type AnthropicOptions,
  type AnthropicPayload,
  decodeAnthropic,
} from "millrace/anthropic";
import { type Sent, sentBy } from "../support/sent.js";
import { type Answer, begin } from "../support/server.js";

/** Events of the Messages API. */
export function start(message: object = {}): object {
  const usage = { input_tokens: 3, output_tokens: 1 };
  return {
    type: "message_start",
    message: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "claude-test",
      content: [],
      usage,
      ...message,
    },
  };
}

export function block(content: object, index = 0): object {
  return { type: "content_block_start", index, content_block: content };
}

export function delta(fields: object, index = 0): object {
  return { type: "content_block_delta", index, delta: fields };
}

export function stop(index = 0): object {
  return { type: "content_block_stop", index };
}

export function finish(reason = "end_turn", fields: object = {}): object {
  return {
    type: "message_delta",
    delta: { stop_reason: reason, stop_sequence: null },
    usage: { output_tokens: 5 },
    ...fields,
  };
}

export const end = { type: "message_stop" };

export function text(content: string, index = 0): object {
  return delta({ type: "text_delta", text: content }, index);
}

/** A complete response. */
export const helloEvents: readonly object[] = [
  start(),
  block({ type: "text", text: "" }),
  { type: "ping" },
  text("Hel"),
  text("lo"),
  stop(),
  finish(),
  end,
];

export function wireOf(events: readonly object[]): string {
  return events
    .map((event) => `event: ${(event as { type: string }).type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join("");
}

export function answer(...events: readonly object[]): Answer {
  return (response) => {
    begin(response, ...events);
    response.end();
  };
}

export const hello: Answer = answer(...helloEvents);

export function chunksOf(events: readonly unknown[]): Promise<MessageChunk[]> {
  return collect(pipe(from(events as AnthropicPayload[]), decodeAnthropic()));
}

export async function messageOf(...events: readonly unknown[]): Promise<AssistantMessage> {
  const message = await last(pipe(from(events as AnthropicPayload[]), decodeAnthropic(), mergeChunks()));
  if (message === undefined) throw new Error("there is no message");
  return message;
}

export async function errorOf(...events: readonly unknown[]): Promise<ModelError> {
  const error: unknown = await chunksOf(events).catch((error: unknown) => error);
  if (error instanceof ModelError) return error;
  throw new Error("expected a ModelError", { cause: error });
}

/** The request of a call. */
export function sent(
  input: MessagesInput,
  call?: CallOptions<AnthropicExtra>,
  options: Partial<AnthropicOptions> = {},
): Promise<Sent> {
  return sentBy(
    (fetch) => anthropic({ model: "claude-test", apiKey: "key", fetch, ...options }),
    input,
    call,
  );
}

/** The turns in a request with these messages. */
export async function turns(input: MessagesInput): Promise<unknown> {
  return (await sent(input)).body["messages"];
}
