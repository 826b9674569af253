import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { GoogleGenAI } from "@google/genai";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  type AssistantMessage,
  from,
  last,
  mergeChunks,
  pipe,
  reasoningOf,
  textOf,
  toolCallsOf,
} from "millrace";
import { decodeSse } from "millrace/models";
import { decodeGemini, type GeminiPayload, type GeminiResponse } from "millrace/gemini";
import { everyCut, fixedSizes, randomPartitions } from "millrace/testing";
import { expectSame } from "../../json/support/same-json.js";

/** Streams of real models, in a folder beside the repository. */
const folder = join(import.meta.dirname, "../../../../shared/recordings/gemini");
const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith(".jsonl")) : [];
if (files.length === 0) console.log(`Skipped: there are no recordings in ${folder}`);

afterEach(() => {
  vi.unstubAllGlobals();
});

describe.skipIf(files.length === 0)(
  "a recorded stream has its complete text, thoughts, calls and counts",
  () => {
    for (const file of files) {
      const lines = readFileSync(join(folder, file), "utf8").trim().split("\n");
      const wire = new TextEncoder().encode(lines.map((line) => `data: ${line}\r\n\r\n`).join(""));
      const responses = lines.map((line) => JSON.parse(line) as Response);
      const expected = reference(responses);

      test(`${file}, as responses`, async () => {
        expect(summary(await merged(responses as GeminiPayload[]))).toEqual(expected);
      });

      test(`${file}, as one array`, async () => {
        expect(summary(await merged([responses as GeminiResponse[]]))).toEqual(expected);
      });

      test(`${file}, split at random`, async () => {
        for (const pieces of randomPartitions(wire, { seed: 7, count: 5 })) {
          expect(await read(pieces)).toEqual(expected);
        }
        for (const pieces of fixedSizes(wire, [1, 7, 64, 1_460, 16_384])) {
          expect(await read(pieces)).toEqual(expected);
        }
      });

      test(`${file}, a sample split at every byte`, async () => {
        // Signatures are long and have no structure, so they are shortened.
        const short = [...lines.slice(0, 2), ...lines.slice(2).slice(-1)].map((line) =>
          line
            .replace(/"thoughtSignature":"[^"]+"/, '"thoughtSignature":"c2lnbmVk"')
            .replace(/,"(?:promptTokens|candidatesTokens)Details":\[[^\]]*\]/g, ""),
        );
        const bytes = new TextEncoder().encode(short.map((line) => `data: ${line}\n\n`).join(""));
        const whole = reference(short.map((line) => JSON.parse(line) as Response));
        for (const pieces of everyCut(bytes)) expectSame(await read(pieces), whole);
      });

      test(`${file}, through the official SDK, with the same text and calls`, async () => {
        const warn = vi.spyOn(console, "warn").mockReturnValue();
        vi.stubGlobal(
          "fetch",
          async () => new globalThis.Response(wire, { headers: { "content-type": "text/event-stream" } }),
        );
        const ask = () =>
          new GoogleGenAI({ apiKey: "key" }).models.generateContentStream({ model: "a", contents: "Hi" });
        const message = await merged((await ask()) as AsyncIterable<GeminiPayload>);
        expect(warn).not.toHaveBeenCalled();
        expect(summary(message)).toEqual(expected);

        let text = "";
        const calls: unknown[] = [];
        for await (const chunk of await ask()) {
          text += chunk.text ?? "";
          for (const { name, args } of chunk.functionCalls ?? [])
            if (args !== undefined) calls.push({ name, args });
        }
        warn.mockRestore();
        expect(textOf(message)).toBe(text);
        if (file.startsWith("vertex")) expect(calls).toEqual([]);
        else expect(toolCallsOf(message).map(({ name, args }) => ({ name, args }))).toEqual(calls);
      });
    }
  },
);

test.skipIf(files.length === 0)("a recipe from patches equals the value of the patches", async () => {
  const file = files.find((name) => name.startsWith("vertex")) as string;
  const lines = readFileSync(join(folder, file), "utf8").trim().split("\n");
  const chunks: string[] = [];
  for await (const { content } of pipe(
    from(lines.map((line) => JSON.parse(line) as GeminiPayload)),
    decodeGemini(),
  )) {
    for (const block of content) if (block.type === "tool_call_chunk") chunks.push(block.args ?? "");
  }
  expect(chunks.length).toBeGreaterThan(60);
  const text = chunks.join("");
  expect(
    text.startsWith('{"recipe":{"ingredients":[{"amount":"16 oz","name":"Lasagna noodles"},{"amount"'),
  ).toBe(true);
  const { recipe } = JSON.parse(text) as {
    recipe: { ingredients: unknown[]; name: string; steps: string[] };
  };
  expect([recipe.ingredients.length, recipe.name, recipe.steps.length]).toEqual([10, "Lasagna", 10]);
  expect(recipe.steps[9]).toBe("Let stand for 15 minutes before serving.");
});

function merged(
  payloads: readonly GeminiPayload[] | AsyncIterable<GeminiPayload>,
): Promise<AssistantMessage> {
  return last(pipe(from(payloads), decodeGemini(), mergeChunks())) as Promise<AssistantMessage>;
}

async function read(pieces: readonly Uint8Array[]): Promise<unknown> {
  return summary(
    (await last(pipe(from(pieces), decodeSse(), decodeGemini(), mergeChunks()))) as AssistantMessage,
  );
}

interface Summary {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly name: string; readonly args: unknown }[];
  readonly signatures: readonly unknown[];
  readonly finishReason: string | undefined;
  readonly tokens: readonly (number | undefined)[];
  readonly id: string | undefined;
  readonly model: string | undefined;
}

function summary(message: AssistantMessage): Summary {
  const { usage } = message;
  return {
    text: textOf(message),
    reasoning: reasoningOf(message),
    calls: toolCallsOf(message).map(({ name, args }) => ({ name, args })),
    signatures: message.content.flatMap((block) =>
      "metadata" in block && block.metadata?.["thoughtSignature"] !== undefined
        ? [block.metadata["thoughtSignature"]]
        : [],
    ),
    finishReason: message.providerFinishReason,
    tokens: [usage?.inputTokens, usage?.outputTokens, usage?.totalTokens],
    id: message.id,
    model: message.model,
  };
}

interface Response {
  readonly candidates: readonly {
    readonly content: { readonly parts: readonly Part[] };
    readonly finishReason?: string;
  }[];
  readonly usageMetadata: Readonly<Record<string, number | undefined>>;
  readonly responseId: string;
  readonly modelVersion: string;
}

interface Part {
  readonly text?: string;
  readonly thought?: boolean;
  readonly thoughtSignature?: string;
  readonly functionCall?: {
    readonly name?: string;
    readonly args?: object;
    readonly partialArgs?: readonly Patch[];
  };
}

interface Patch {
  readonly jsonPath: string;
  readonly stringValue: string;
}

/** Builds the message in the simplest way, for these recordings only. */
function reference(responses: readonly Response[]): Summary {
  let text = "";
  let reasoning = "";
  const calls: { name: string; args: object }[] = [];
  const signatures: string[] = [];
  for (const { candidates } of responses) {
    for (const part of candidates.flatMap(({ content }) => content.parts)) {
      if (part.thoughtSignature !== undefined) signatures.push(part.thoughtSignature);
      if (part.thought === true) reasoning += part.text ?? "";
      else text += part.text ?? "";
      const { functionCall } = part;
      if (functionCall?.name !== undefined)
        calls.push({ name: functionCall.name, args: functionCall.args ?? {} });
      for (const { jsonPath, stringValue } of functionCall?.partialArgs ?? []) {
        const path = jsonPath.replace("$.", "").replaceAll("[", ".").replaceAll("]", "").split(".");
        let node = calls.at(-1)?.args as Record<string, unknown>;
        path.slice(0, -1).forEach((step, i) => {
          node = (node[step] ??= /^\d+$/.test(path[i + 1] as string) ? [] : {}) as typeof node;
        });
        const key = path.at(-1) as string;
        node[key] = ((node[key] as string | undefined) ?? "") + stringValue;
      }
    }
  }
  const end = responses.at(-1) as Response;
  const {
    promptTokenCount,
    candidatesTokenCount = 0,
    thoughtsTokenCount = 0,
    totalTokenCount,
  } = end.usageMetadata;
  return {
    text,
    reasoning,
    calls,
    signatures,
    finishReason: end.candidates[0]?.finishReason,
    tokens: [promptTokenCount, candidatesTokenCount + thoughtsTokenCount, totalTokenCount],
    id: end.responseId,
    model: end.modelVersion,
  };
}
