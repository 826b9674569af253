import { describe, expect, test } from "vitest";
import {
  type Annotation,
  type AssistantMessage,
  collect,
  from,
  mergeChunks,
  type MessageChunk,
  pipe,
  toAssistantMessage,
} from "millrace";

const likelihood = (n: number) => ({ token: String(n), logprob: -n });
const chunks: readonly MessageChunk[] = [1, 2, 3].map((n) => ({
  content: [{ type: "text", text: String(n) }],
  metadata: { seed: n },
  metadataDelta: { logprobs: [likelihood(n)], ["__proto__"]: [n] },
}));

describe("lists that arrive in pieces", () => {
  test("each snapshot keeps its state, whenever it is read", async () => {
    const snapshots = await collect(pipe(from(chunks), mergeChunks()));
    expect(snapshots.map(logprobsOf)).toEqual([
      [likelihood(1)],
      [likelihood(1), likelihood(2)],
      [likelihood(1), likelihood(2), likelihood(3)],
    ]);
    expect(logprobsOf(snapshots[0])).toBe(logprobsOf(snapshots[0]));
    expect(snapshots[0]?.metadata?.["seed"]).toBe(1);
  });

  test("behave like plain data in JSON, structuredClone, spread and Object.entries", () => {
    const expected = { seed: 3, logprobs: [1, 2, 3].map(likelihood) };
    const own = { ...expected, ["__proto__"]: [1, 2, 3] };
    const fresh = (): AssistantMessage["metadata"] => toAssistantMessage(...chunks).metadata;
    expect(JSON.parse(JSON.stringify(fresh()))).toEqual(own);
    expect(structuredClone(fresh())).toMatchObject(expected);
    expect({ ...fresh() }).toEqual(own);
    expect(Object.entries(fresh() ?? {}).length).toBe(3);
    expect(Object.getPrototypeOf(fresh())).toBe(Object.prototype);
  });

  test("mutating a list of one snapshot changes no other", async () => {
    const [first, , third] = await collect(pipe(from(chunks), mergeChunks()));
    (logprobsOf(first) as unknown[]).push("more");
    expect(logprobsOf(third)).toEqual([1, 2, 3].map(likelihood));
  });
});

describe("annotations that arrive in pieces", () => {
  const citation = (n: number): Annotation => ({ type: "citation", title: String(n) });
  const cited: readonly MessageChunk[] = [[citation(1)], [citation(2)], [citation(3)], undefined].map(
    (annotations, n) => ({
      content: [{ type: "text", text: String(n), ...(annotations !== undefined && { annotations }) }],
    }),
  );

  test("each snapshot keeps its state, whenever it is read", async () => {
    const snapshots = await collect(pipe(from(cited), mergeChunks()));
    const all = [1, 2, 3].map(citation);
    expect(snapshots.toReversed().map(({ content }) => content[0])).toMatchObject([
      { text: "0123", annotations: all },
      { text: "012", annotations: all },
      { text: "01", annotations: all.slice(0, 2) },
      { text: "0", annotations: all.slice(0, 1) },
    ]);
  });

  test("behave like plain data in JSON, structuredClone and spread", () => {
    const fresh = (): object => toAssistantMessage(...cited).content[0] as object;
    const expected = { type: "text", text: "0123", annotations: [1, 2, 3].map(citation) };
    expect(JSON.parse(JSON.stringify(fresh()))).toEqual(expected);
    expect(structuredClone(fresh())).toEqual(expected);
    expect({ ...fresh() }).toEqual(expected);
  });
});

function logprobsOf(message: AssistantMessage | undefined): unknown {
  return message?.metadata?.["logprobs"];
}
