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
import { block, end, finish, start, stop, text } from "../../support/anthropic-events.js";

export { block, delta, end, finish, start, stop, text, wireOf } from "../../support/anthropic-events.js";

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
