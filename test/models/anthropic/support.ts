import type { MessagesInput } from "millrace";
import { anthropic, decodeAnthropic } from "millrace/anthropic";
import { decodedBy } from "../support/decoded.js";
import { sentBy } from "../support/sent.js";
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

export const { chunksOf, messageOf, errorOf } = decodedBy(decodeAnthropic);

/** The request of a call. */
export const sent = sentBy(anthropic, { model: "claude-test", apiKey: "key" });

/** The turns in a request with these messages. */
export async function turns(input: MessagesInput): Promise<unknown> {
  return (await sent(input)).body["messages"];
}
