import Anthropic from "@anthropic-ai/sdk";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  type AssistantMessage,
  type ContentBlock,
  from,
  user,
  last,
  mergeChunks,
  pipe,
  reasoningOf,
  textOf,
} from "millrace";
import { decodeSse } from "millrace/models";
import { type AnthropicPayload, decodeAnthropic } from "millrace/anthropic";
import { everyCut, fixedSizes, randomPartitions } from "millrace/testing";
import { turns, wireOf } from "../../models/anthropic/support.js";
import { expectSame } from "../../json/support/same-json.js";

/** Streams of the provider, in a folder beside the repository. */
const folder = join(import.meta.dirname, "../../../../shared/recordings/anthropic-messages");
const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith(".jsonl")) : [];
if (files.length === 0) console.log(`Skipped: there are no recordings in ${folder}`);

describe.skipIf(files.length === 0)("a recorded stream is decoded like by the official SDK:", () => {
  for (const file of files) {
    const events = eventsIn(file);
    const wire = new TextEncoder().encode(wireOf(events));

    test(`${file}, as events`, async () => {
      const message = await last(pipe(from(events as AnthropicPayload[]), decodeAnthropic(), mergeChunks()));
      expect(summary(message)).toEqual(await reference(events));
    });

    test(`${file}, split at random`, async () => {
      const expected = await reference(events);
      for (const pieces of randomPartitions(wire, { seed: 7, count: 5 })) {
        expect(summary(await read(pieces))).toEqual(expected);
      }
      for (const pieces of fixedSizes(wire, [1, 64, 1_460])) {
        expect(summary(await read(pieces))).toEqual(expected);
      }
    });

    test(`${file}, a sample split at every byte`, async () => {
      const some = sample(events);
      const expected = await reference(some);
      const bytes = new TextEncoder().encode(wireOf(some).replaceAll("\n", "\r\n"));
      for (const pieces of everyCut(bytes)) expectSame(summary(await read(pieces)), expected);
    });

    test(`${file}, as the SDK's stream`, async () => {
      for (const one of messagesIn(events)) {
        const sdk = client(one);
        const stream = await sdk.messages.create({ ...request, stream: true });
        const message = await last(pipe(stream, decodeAnthropic(), mergeChunks()));
        expect(summary(message)).toEqual(await reference(one));
        const helper = sdk.messages.stream(request);
        expect(await last(pipe(helper, decodeAnthropic(), mergeChunks()))).toEqual(message);
        const beta = await sdk.beta.messages.create({ ...request, stream: true });
        expect(await last(pipe(beta, decodeAnthropic(), mergeChunks()))).toEqual(message);
      }
    });

    test(`${file}, sent back as history, has the same blocks`, async () => {
      const message = await last(pipe(from(events as AnthropicPayload[]), decodeAnthropic(), mergeChunks()));
      const copy = JSON.parse(JSON.stringify(message)) as AssistantMessage;
      const [, answer] = (await turns([user("Hi"), copy, user("Go on")])) as { content: unknown }[];
      const finals = await Promise.all(messagesIn(events).map(finalMessage));
      expect(answer?.content).toEqual(finals.flatMap(({ content }) => withoutNulls(content)));
    });
  }
});

const request = {
  model: "claude-test",
  max_tokens: 1,
  messages: [{ role: "user" as const, content: "Hi" }],
};

function eventsIn(file: string): object[] {
  const lines = readFileSync(join(folder, file), "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as object);
}

function typeOf(event: { type?: string } | undefined): string {
  return event?.type ?? "";
}

/** The SDK's accumulator reads one message per stream. */
function messagesIn(events: readonly object[]): object[][] {
  const messages: object[][] = [];
  for (const event of events) {
    if (typeOf(event) === "message_start") messages.push([]);
    messages.at(-1)?.push(event);
  }
  return messages;
}

/** The first message with a few of its blocks and deltas, short enough to be split at every byte. */
function sample(events: readonly object[]): object[] {
  const message = messagesIn(events)[0] ?? [];
  const blocks: object[][] = [];
  for (const event of message) {
    const { index, delta } = event as { index?: number; delta?: object };
    if (index === undefined) continue;
    const block = (blocks[index] ??= []);
    if (!/^(?:text|thinking)_delta$/.test(typeOf(delta)) || block.length < 4) block.push(event);
  }
  let size = 0;
  const short = blocks.filter((block) => (size += JSON.stringify(block).length) < 700);
  const at = message.findIndex((event) => "index" in event);
  const after = message.filter((event) => /^message_(?:delta|stop)$/.test(typeOf(event)));
  return [
    ...message.slice(0, at),
    ...short.flatMap((block, index) => block.map((event) => ({ ...event, index }))),
    ...after,
  ];
}

function client(events: readonly object[]): Anthropic {
  const fetch = async (): Promise<Response> =>
    new Response(wireOf(events), { headers: { "content-type": "text/event-stream" } });
  return new Anthropic({ apiKey: "key", fetch, maxRetries: 0 });
}

function finalMessage(events: readonly object[]): Promise<Anthropic.Message> {
  return client(events).messages.stream(request).finalMessage();
}

function read(pieces: readonly Uint8Array[]): Promise<AssistantMessage | undefined> {
  return last(pipe(from(pieces), decodeSse(), decodeAnthropic(), mergeChunks()));
}

interface Summary {
  readonly text: string;
  readonly reasoning: string;
  readonly signatures: readonly unknown[];
  readonly citations: number;
  readonly calls: readonly unknown[];
  readonly results: readonly unknown[];
  readonly finishReason: string | null | undefined;
  readonly tokens: readonly (number | undefined)[];
}

function summary(message: AssistantMessage | undefined): Summary {
  if (message === undefined) throw new Error("there is no message");
  const { content, usage } = message;
  const all = <Type extends ContentBlock["type"]>(
    ...types: Type[]
  ): Extract<ContentBlock, { type: Type }>[] =>
    content.filter((block) => (types as string[]).includes(block.type)) as Extract<
      ContentBlock,
      { type: Type }
    >[];
  return {
    text: textOf(message),
    reasoning: reasoningOf(message),
    signatures: all("reasoning").map(({ metadata }) => metadata?.["signature"]),
    citations: all("text").flatMap(({ annotations = [] }) => annotations).length,
    calls: all("tool_call", "server_tool_call").map(({ id, name, args }) => [id, name, args]),
    results: all("server_tool_result").map(({ toolCallId, output }) => [toolCallId, output]),
    finishReason: message.providerFinishReason,
    tokens: [usage?.inputTokens, usage?.outputTokens, usage?.details?.cacheReadTokens],
  };
}

async function reference(events: readonly object[]): Promise<Summary> {
  const finals = await Promise.all(messagesIn(events).map(finalMessage));
  const blocks = finals.flatMap(({ content }) => content);
  const sum = (count: (usage: Anthropic.Usage) => number): number =>
    finals.reduce((total, { usage }) => total + count(usage), 0);
  return {
    text: blocks.map((block) => (block.type === "text" ? block.text : "")).join(""),
    reasoning: blocks.map((block) => (block.type === "thinking" ? block.thinking : "")).join(""),
    signatures: blocks.flatMap((block) => (block.type === "thinking" ? [block.signature] : [])),
    citations: blocks.flatMap((block) => (block.type === "text" ? (block.citations ?? []) : [])).length,
    calls: blocks.flatMap((block) =>
      block.type === "tool_use" || block.type === "server_tool_use"
        ? [[block.id, block.name, block.input]]
        : [],
    ),
    results: blocks.flatMap((block) => ("tool_use_id" in block ? [[block.tool_use_id, block.content]] : [])),
    finishReason: finals.at(-1)?.stop_reason,
    tokens: [
      sum((usage) =>
        [usage.input_tokens, usage.cache_read_input_tokens, usage.cache_creation_input_tokens].reduce<number>(
          (total, count) => total + (count ?? 0),
          0,
        ),
      ),
      sum((usage) => usage.output_tokens),
      sum((usage) => usage.cache_read_input_tokens ?? 0),
    ],
  };
}

/** Fields that the SDK adds for absent values. */
function withoutNulls(content: readonly object[]): unknown[] {
  return content.map((block) =>
    Object.fromEntries(Object.entries(block).filter(([, value]) => value !== null)),
  );
}
