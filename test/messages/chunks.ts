import fc from "fast-check";
import type { JsonRepair } from "millrace/json";
import { collect, from, last, mergeChunks, type AssistantMessage, type MessageChunk, pipe } from "millrace";

/** The snapshots of a stream of these chunks. */
export function snapshots(chunks: readonly MessageChunk[]): Promise<AssistantMessage[]> {
  return collect(pipe(from(chunks), mergeChunks()));
}

/** The finished message. */
export async function merged(chunks: readonly MessageChunk[]): Promise<AssistantMessage> {
  const message = await last(pipe(from(chunks), mergeChunks()));
  if (message === undefined) throw new Error("no chunk, no message");
  return message;
}

export function text(delta: string, index?: number): MessageChunk {
  return { content: [{ type: "text", text: delta, ...(index === undefined ? undefined : { index }) }] };
}

interface CallDelta {
  readonly repairs?: readonly JsonRepair[];
  readonly index?: number;
  readonly id?: string;
  readonly name?: string;
  readonly args?: string;
  readonly error?: string;
}

export function call(delta: CallDelta): MessageChunk {
  return { content: [{ type: "tool_call_chunk", ...delta }] };
}

const few = fc.constantFrom("a", "b");
const index = fc.option(fc.nat(2), { nil: undefined });
const piece = fc.constantFrom("", "{", '"k"', ":", "1", "}", " ", "x");

const base64 = fc.uint8Array({ maxLength: 4 }).map((bytes) => btoa(String.fromCharCode(...bytes)));
const metadata = optional(fc.dictionary(few, fc.nat(3), { noNullPrototype: true }));
const annotations = fc.array(fc.record({ type: fc.constant("citation" as const), url: few }), {
  maxLength: 2,
});
const usage = optional(
  compact({
    inputTokens: optional(fc.nat(3)),
    outputTokens: optional(fc.nat(3)),
    details: optional(
      compact({ cacheReadTokens: optional(fc.nat(3)), reasoningTokens: optional(fc.nat(3)) }),
    ),
  }),
);

const repair = fc.record({ kind: fc.constant("quote" as const), offset: fc.nat(3) });

/** Few different values, so that deltas collide: the same index, the same id, a repeated name. */
const block = fc.oneof(
  compact({
    type: fc.constant("text" as const),
    text: few,
    index,
    annotations: optional(annotations),
    metadata,
  }),
  compact({ type: fc.constant("reasoning" as const), reasoning: few, index, metadata }),
  compact({
    type: fc.constant("audio" as const),
    index,
    data: optional(base64),
    transcript: optional(few),
    mimeType: optional(fc.constantFrom("audio/wav", "audio/pcm")),
    metadata,
  }),
  compact({
    type: fc.constantFrom("tool_call_chunk" as const, "server_tool_call_chunk" as const),
    index,
    id: optional(few),
    name: optional(few),
    args: optional(piece),
    error: optional(few),
    raw: optional(few),
    repairs: optional(fc.array(repair, { maxLength: 2 })),
    metadata,
  }),
  fc.constant({ type: "non_standard" as const, value: 1 }),
);

/** Chunks of all kinds, including some that no provider sends. */
export const anyChunk: fc.Arbitrary<MessageChunk> = compact({
  content: fc.array(block, { maxLength: 3 }),
  id: optional(few),
  model: optional(few),
  finishReason: optional(fc.constantFrom("stop" as const, "length" as const)),
  providerFinishReason: optional(few),
  refusal: optional(few),
  usage,
  usageDelta: usage,
  metadata,
  metadataDelta: optional(
    fc.dictionary(few, fc.array(fc.nat(3), { maxLength: 2 }), { noNullPrototype: true }),
  ),
}) as fc.Arbitrary<MessageChunk>;

function optional<T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(values, { nil: undefined });
}

/** Removes keys whose value is undefined. */
function compact<T extends object>(model: { [Key in keyof T]: fc.Arbitrary<T[Key]> }): fc.Arbitrary<T> {
  return fc
    .record<T>(model)
    .map(
      (values) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T,
    );
}
