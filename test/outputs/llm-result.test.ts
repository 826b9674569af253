import { describe, expect, test } from "vitest";
import { assistant } from "millrace";
import {
  chatGeneration,
  type ChatGeneration,
  type ChatResult,
  type Generation,
  LLMResult,
  type LLMResultData,
} from "millrace/models";

const answer = (text: string, totalTokens: number): ChatGeneration =>
  chatGeneration(assistant(text, { usage: { totalTokens } }));

const data: LLMResultData = {
  generations: [[answer("a", 1), answer("b", 2)], [answer("c", 3)], []],
  providerOutput: { usage: { totalTokens: 6, details: { reasoningTokens: 1 } }, model: "m" },
  runIds: ["r0", "r1", "r2"],
};

describe("flatten", () => {
  test("returns one result for each prompt, with its candidates and its run", () => {
    const flat = new LLMResult(data).flatten();
    expect(flat.map(({ generations }) => generations)).toEqual(data.generations.map((one) => [one]));
    expect(flat.map(({ runIds }) => runIds)).toEqual([["r0"], ["r1"], ["r2"]]);
    expect(flat.every((one) => one instanceof LLMResult)).toBe(true);
  });

  test("counts the tokens once, in the first result", () => {
    const flat = new LLMResult(data).flatten();
    expect(flat.map(({ usage }) => usage)).toEqual([data.providerOutput?.usage, undefined, undefined]);
    expect(flat.map(({ providerOutput }) => providerOutput)).toEqual([
      data.providerOutput,
      { model: "m" },
      { model: "m" },
    ]);
    expect(flat.reduce((sum, { usage }) => sum + (usage?.totalTokens ?? 0), 0)).toBe(6);
  });

  test("adds no missing fields", () => {
    const generations: Generation[][] = [[{ text: "a" }], [{ text: "b" }]];
    expect(new LLMResult({ generations }).flatten()).toEqual(
      generations.map((one) => new LLMResult({ generations: [one] })),
    );
    const usage = { totalTokens: 1 };
    const [, second] = new LLMResult({ generations, providerOutput: { usage } }).flatten();
    expect(second?.providerOutput).toBeUndefined();
    expect(new LLMResult({ generations: [] }).flatten()).toEqual([]);
    const [first, unnamed] = new LLMResult({ generations, runIds: ["r"] }).flatten();
    expect([first?.runIds, unnamed?.runIds]).toEqual([["r"], undefined]);
  });

  test("does not mutate the result", () => {
    const result = new LLMResult(data);
    result.flatten();
    expect(result).toEqual(new LLMResult(data));
  });
});

describe("equals", () => {
  const result = new LLMResult(data);

  test("ignores the ids of the runs", () => {
    expect(result.equals(new LLMResult({ ...data, runIds: ["x", "y", "z"] }))).toBe(true);
    expect(result.equals(new LLMResult({ ...data, runIds: undefined }))).toBe(true);
  });

  test.each([
    ["another text", { ...data, generations: [[answer("a", 1), answer("x", 2)], [answer("c", 3)], []] }],
    [
      "candidates in another order",
      { ...data, generations: [[answer("b", 2), answer("a", 1)], [answer("c", 3)], []] },
    ],
    ["a missing prompt", { ...data, generations: data.generations.slice(0, 2) }],
    ["a missing candidate", { ...data, generations: [[answer("a", 1)], [answer("c", 3)], []] }],
    [
      "another usage of a message",
      { ...data, generations: [[answer("a", 1), answer("b", 9)], [answer("c", 3)], []] },
    ],
    [
      "another total usage",
      { ...data, providerOutput: { ...data.providerOutput, usage: { totalTokens: 7 } } },
    ],
    ["another model", { ...data, providerOutput: { ...data.providerOutput, model: "n" } }],
    ["no provider output", { generations: data.generations }],
    ["an additional provider output", { ...data, providerOutput: { ...data.providerOutput, more: null } }],
  ] as const)("detects %s", (_, other: LLMResultData) => {
    expect(result.equals(other)).toBe(false);
    expect(new LLMResult(other).equals(result)).toBe(false);
  });

  test("ignores the order of keys, and keys without a value", () => {
    const { usage, ...others } = data.providerOutput ?? {};
    const turned = { ...others, usage: usage ?? {}, extra: undefined };
    expect(result.equals({ ...data, providerOutput: turned })).toBe(true);
  });

  test("ignores inherited properties", () => {
    const one = new LLMResult({ generations: [[{ text: "a", info: {} }]] });
    const info = JSON.parse('{"__proto__": 1}') as Record<string, number>;
    expect(one.equals({ generations: [[{ text: "a", info }]] })).toBe(false);
    expect(one.equals({ generations: [[{ text: "a", info: { constructor: 1 } }]] })).toBe(false);
  });
});

test("a result survives JSON and structuredClone", () => {
  const result = new LLMResult(data);
  const text = JSON.stringify(result);
  expect(JSON.parse(text)).toEqual(data);
  const read = new LLMResult(JSON.parse(text) as LLMResultData);
  expect(read).toEqual(result);
  expect(read.equals(result)).toBe(true);
  expect(read.usage).toEqual(data.providerOutput?.usage);
  expect(new LLMResult(structuredClone(result)).equals(result)).toBe(true);
});

test("the chat result of each prompt is part of the result", () => {
  const chats: readonly ChatResult[] = [
    { generations: [answer("a", 1), answer("b", 2)], providerOutput: { model: "m" } },
    { generations: [] },
  ];
  const joined = new LLMResult({
    generations: chats.map(({ generations }) => generations),
    providerOutput: chats[0]?.providerOutput,
  });
  expect(joined.flatten().map(({ generations }) => generations[0])).toEqual(
    chats.map(({ generations }) => generations),
  );
  expect(joined.flatten().map(({ providerOutput }) => providerOutput)).toEqual([
    { model: "m" },
    { model: "m" },
  ]);
});
