import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { from, last, mergeChunks, pipe, reasoningOf, textOf } from "millrace";
import { decodeSse } from "millrace/models";
import { decodeOpenAIChat, type OpenAIChatPayload } from "millrace/openai";
import { everyCut, fixedSizes, randomPartitions } from "millrace/testing";
import { expectSame } from "../../json/support/same-json.js";

/** Streams of real providers, in a folder beside the repository. */
const folder = join(import.meta.dirname, "../../../../shared/recordings/openai-chat");
const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith(".jsonl")) : [];
if (files.length === 0) console.log(`Skipped: there are no recordings in ${folder}`);

describe.skipIf(files.length === 0)(
  "a recorded stream has its complete text, reasoning and tool arguments",
  () => {
    for (const file of files) {
      const lines = readFileSync(join(folder, file), "utf8").trim().split("\n");
      const wire = new TextEncoder().encode(
        `${lines.map((line) => `data: ${line}\n\n`).join("")}data: [DONE]\n\n`,
      );
      const payloads = lines.map((line) => JSON.parse(line) as Payload);
      const expected = reference(payloads);

      test(`${file}, as payloads`, async () => {
        const stream = pipe(from(payloads as OpenAIChatPayload[]), decodeOpenAIChat(), mergeChunks());
        expect(summary(await last(stream))).toEqual(expected);
      });

      test(`${file}, split at random`, async () => {
        for (const pieces of randomPartitions(wire, { seed: 7, count: 3 })) {
          expect(await read(pieces)).toEqual(expected);
        }
        for (const pieces of fixedSizes(wire, [7, 1_460])) {
          expect(await read(pieces)).toEqual(expected);
        }
      });

      test(`${file}, a sample split at every byte`, async () => {
        const { head, middle, tail } = sample(lines);
        const text = [...head, ...middle, ...tail].map((line) => `data: ${line}\r\n\r\n`).join("");
        const bytes = new TextEncoder().encode(`${text}data: [DONE]\r\n\r\n`);
        const whole = reference([...head, ...middle, ...tail].map((line) => JSON.parse(line) as Payload));
        for (const pieces of everyCut(bytes)) expectSame(await read(pieces), whole);
      });
    }
  },
);

async function read(pieces: readonly Uint8Array[]): Promise<unknown> {
  return summary(await last(pipe(from(pieces), decodeSse(), decodeOpenAIChat(), mergeChunks())));
}

/** The start, the end, and some payloads between, at most about 3 KB. */
function sample(lines: readonly string[]): Record<"head" | "middle" | "tail", readonly string[]> {
  const inner = lines.slice(2, -2);
  const calls = inner.findIndex((line) => line.includes('"tool_calls"'));
  const start = calls < 0 ? Math.floor(inner.length / 2) : calls;
  return { head: lines.slice(0, 2), middle: inner.slice(start, start + 3), tail: lines.slice(2).slice(-2) };
}

interface Summary {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { id: string | undefined; name: string | undefined; args: string }[];
  readonly finishReason: string | undefined;
  readonly tokens: number | undefined;
}

function summary(message: Awaited<ReturnType<typeof last<MessageOf>>>): Summary {
  if (message === undefined) throw new Error("there is no message");
  const calls = message.content.flatMap((block) => {
    if (block.type === "tool_call")
      return [{ id: block.id, name: block.name, args: JSON.stringify(block.args) }];
    return block.type === "invalid_tool_call" ? [{ id: block.id, name: block.name, args: block.args }] : [];
  });
  return {
    text: textOf(message),
    reasoning: reasoningOf(message),
    calls,
    finishReason: message.providerFinishReason,
    tokens: message.usage?.totalTokens,
  };
}

type MessageOf = ReturnType<ReturnType<typeof mergeChunks>> extends AsyncIterable<infer M> ? M : never;

interface Payload {
  readonly choices: readonly {
    readonly delta: {
      readonly content?: string | null | readonly Part[];
      readonly reasoning?: string | null;
      readonly reasoning_content?: string | null;
      readonly tool_calls?: readonly {
        readonly index: number;
        readonly id?: string;
        readonly function: { readonly name?: string; readonly arguments?: string };
      }[];
    };
    readonly finish_reason?: string | null;
  }[];
  readonly usage?: { readonly total_tokens: number } | null;
}

interface Part {
  readonly text?: string;
  readonly thinking?: readonly { readonly text: string }[];
}

/** Builds the message in the simplest way, for these recordings only. */
function reference(payloads: readonly Payload[]): Summary {
  let text = "";
  let reasoning = "";
  let finishReason: string | undefined;
  let tokens: number | undefined;
  const calls: { id: string | undefined; name: string | undefined; args: string }[] = [];
  for (const { choices, usage } of payloads) {
    tokens = usage?.total_tokens ?? tokens;
    for (const { delta, finish_reason } of choices) {
      finishReason = finish_reason ?? finishReason;
      reasoning += delta.reasoning ?? delta.reasoning_content ?? "";
      if (typeof delta.content === "string") text += delta.content;
      else if (Array.isArray(delta.content)) {
        for (const part of delta.content as readonly Part[]) {
          text += part.text ?? "";
          reasoning += part.thinking?.map((thought) => thought.text).join("") ?? "";
        }
      }
      for (const call of delta.tool_calls ?? []) {
        const known = (calls[call.index] ??= { id: call.id, name: call.function.name, args: "" });
        known.args += call.function.arguments ?? "";
      }
    }
  }
  const normal = calls.map((call) => ({
    ...call,
    args: isJson(call.args) ? JSON.stringify(JSON.parse(call.args)) : call.args,
  }));
  return { text, reasoning, calls: normal, finishReason, tokens };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
