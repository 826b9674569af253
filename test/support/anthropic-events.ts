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

export function wireOf(events: readonly object[]): string {
  return events
    .map((event) => `event: ${(event as { type: string }).type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join("");
}
