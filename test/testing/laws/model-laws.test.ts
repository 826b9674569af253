import { map, type MessageChunk, pipe } from "millrace";
import { type Law, LawError, type LawErrorCode, modelLaws, type ModelWire } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { providerWires } from "../../models/support/wires.js";

type Bytes = Uint8Array<ArrayBuffer>;
type Read = ModelWire<Bytes>["read"];

const { wire } = providerWires[0]!;

/** The decoder of Chat Completions, with other chunks. */
const changing =
  (change: (chunk: MessageChunk) => MessageChunk): Read =>
  (answer) =>
    pipe(wire.read(answer), map(change));

const without = (...fields: readonly string[]): Read =>
  changing((chunk) => {
    const kept = Object.entries(chunk).filter(([name]) => !fields.includes(name));
    return Object.fromEntries(kept) as never;
  });

const ofBlocks = (change: (block: Record<string, unknown>) => object[]): Read =>
  changing((chunk) => ({
    ...chunk,
    content: chunk.content.flatMap((block) => change(block as never)) as never,
  }));

const swallowing: Read = async function* (answer) {
  try {
    for await (const chunk of wire.read(answer)) yield chunk;
  } catch {
    // lost
  }
};

/** Does not close what it reads. */
const leaving: Read = (answer) => {
  const iterator = wire.read(answer)[Symbol.asyncIterator]();
  return { [Symbol.asyncIterator]: () => ({ next: () => iterator.next() }) };
};

const brokenModels: readonly (readonly [
  name: string,
  laws: readonly string[],
  code: LawErrorCode,
  read: Read,
])[] = [
  ["forgets texts", ["in order"], "content", ofBlocks((block) => (block["type"] === "text" ? [] : [block]))],
  ["swallows errors", ["code cut"], "cut", swallowing],
  [
    "swallows failures",
    ["ended with an error", "error in the stream", "answer breaks"],
    "honest-errors",
    swallowing,
  ],
  [
    "decodes each piece of the bytes",
    ["split-invariant"],
    "split-invariant",
    (answer) =>
      wire.read(
        pipe(
          answer,
          map((piece) => new TextEncoder().encode(new TextDecoder().decode(piece))),
        ),
      ),
  ],
  [
    "skips short pieces of arguments",
    ["arguments of calls"],
    "calls",
    ofBlocks((block) => (String(block["args"]).length === 1 ? [] : [block])),
  ],
  [
    "joins calls",
    ["apart"],
    "calls",
    ofBlocks(({ id: _, ...block }) =>
      block["type"] === "tool_call_chunk" ? [{ ...block, index: 0 }] : [block],
    ),
  ],
  [
    "forgets calls",
    ["reads calls"],
    "calls",
    ofBlocks((block) => (block["type"] === "tool_call_chunk" ? [] : [block])),
  ],
  [
    "knows words in small letters",
    ["finish reasons"],
    "finish-reason",
    changing((chunk) =>
      chunk.providerFinishReason === "STOP" ? { ...chunk, finishReason: "other" } : chunk,
    ),
  ],
  ["forgets usage", ["usage"], "usage", without("usage")],
  ["forgets refusals", ["refusal"], "refusal", without("refusal")],
  ["forgets metadata", ["unknown fields"], "limited", without("metadata")],
  ["does not close its answer", ["abortable", "closes"], "closes-once", leaving],
];

const cases = brokenModels.flatMap(([name, laws, code, read]) =>
  laws.map((law) => [name, law, code, read] as const),
);

describe("the laws detect a model that", () => {
  test.each(cases)("%s: %s", async (_, name, code, read) => {
    const law = modelLaws({ ...wire, read }).find((it) => it.name.includes(name)) as Law;
    const error: unknown = await law.check().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(LawError);
    expect((error as LawError).code).toBe(code);
  });
});

test("every law has a model that breaks it", () => {
  const names = modelLaws(wire).map(({ name }) => name);
  expect(names.filter((name) => !cases.some(([, law]) => name.includes(law)))).toEqual([]);
});

test("a law needs only the functions that it uses", () => {
  const { read, text, end, reasons } = wire;
  const names = modelLaws({ read, text, end, reasons: { stop: reasons.stop } }).map(({ name }) => name);
  expect(names.join()).not.toMatch(/reads calls|arguments|refusal|unknown fields|error/);
});
