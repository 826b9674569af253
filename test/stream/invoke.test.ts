import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { batchInvoke, compose, filter, invoke, map, mapAsync, type Operator } from "millrace";
import { stateOf, turn } from "./support/hand-fed.js";

test("invoke returns the last output of an operator for one input", async () => {
  const plusOne = map((n: number) => n + 1);
  expect(await invoke(plusOne, 1)).toBe(2);
  expect(await invoke(compose(plusOne, plusOne), 1)).toBe(3);
});

test("invoke returns undefined without output", async () => {
  expect(await invoke(filter((n: number) => n > 1), 1)).toBe(undefined); // prettier-ignore
});

test("invoke rejects with the error of the stream", async () => {
  const failing = map(() => {
    throw new Error("cannot");
  });
  await expect(invoke(failing, 1)).rejects.toThrow("cannot");
});

/** Holds each run until it is released, and logs starts and closes. */
function held() {
  const log: string[] = [];
  const release = new Map<string, (outcome: { result?: string; error?: unknown }) => void>();
  const operator: Operator<string, string> = (source) => ({
    [Symbol.asyncIterator]: () => {
      let name = "";
      const input = source[Symbol.asyncIterator]();
      return {
        async next() {
          const result = await input.next();
          if (result.done === true) return { done: true, value: undefined };
          name = result.value;
          log.push(`start ${name}`);
          const outcome = await new Promise<{ result?: string; error?: unknown }>((resolve) => {
            release.set(name, resolve);
          });
          if ("error" in outcome) throw outcome.error;
          return { done: false, value: outcome.result ?? "" };
        },
        async return() {
          log.push(`close ${name}`);
          return { done: true, value: undefined };
        },
      };
    },
  });
  return { log, operator, let: (name: string, outcome: object) => release.get(name)?.(outcome) };
}

describe("batchInvoke", () => {
  test("returns the results in the order of the inputs", async () => {
    const slowFirst = mapAsync(async (n: number) => {
      for (let i = 3; i > n; i--) await turn();
      return n * 10;
    });
    expect(await batchInvoke(slowFirst, [1, 2, 3])).toEqual([10, 20, 30]);
  });

  test("returns undefined for an input without output", async () => {
    expect(await batchInvoke(filter((n: number) => n !== 2), [1, 2, 3])).toEqual([1, undefined, 3]); // prettier-ignore
    expect(await batchInvoke(map((n: number) => n), [])).toEqual([]); // prettier-ignore
  });

  test("runs up to `concurrency` inputs at a time, and starts the next when one ends", async () => {
    const { log, operator, let: release } = held();
    const results = batchInvoke(operator, ["a", "b", "c", "d"], { concurrency: 2 });
    await turn();
    expect(log).toEqual(["start a", "start b"]);
    release("b", { result: "B" });
    await turn();
    expect(log).toEqual(["start a", "start b", "start c"]);
    release("a", { result: "A" });
    await turn();
    release("d", { result: "D" });
    release("c", { result: "C" });
    expect(await results).toEqual(["A", "B", "C", "D"]);
  });

  test("runs four at a time by default, and all of them with Infinity", async () => {
    const { log, operator } = held();
    void batchInvoke(operator, "abcdefgh").catch(() => {});
    await turn();
    expect(log.length).toBe(4);
    const all = held();
    void batchInvoke(all.operator, "abcdefghijklmnop", { concurrency: Infinity }).catch(() => {});
    await turn();
    expect(all.log.length).toBe(16);
  });

  test("causes no listener warning in Node with a high concurrency", async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning);
    process.on("warning", onWarning);
    const { signal } = new AbortController();
    await batchInvoke(
      mapAsync(async (n: number) => {
        await turn();
        return n;
      }),
      Array.from({ length: 50 }, (_, i) => i),
      { concurrency: 50, signal },
    );
    await turn();
    process.off("warning", onWarning);
    expect(warnings).toEqual([]);
  });

  test("rejects with the first error at once, closes the other runs and starts no more", async () => {
    const { log, operator, let: release } = held();
    let closed = false;
    function* inputs(): Generator<string> {
      try {
        yield* "abcd";
      } finally {
        closed = true;
      }
    }
    const results = batchInvoke(operator, inputs(), { concurrency: 2 });
    await turn();
    const error = new Error("of b");
    release("b", { error });
    expect(await stateOf(results)).toBe(error);
    expect(log).toEqual(["start a", "start b", "close a"]);
    expect(closed).toBe(true);
  });

  test("rejects with the first error when all runs have started", async () => {
    const { log, operator, let: release } = held();
    const results = batchInvoke(operator, ["a", "b", "c"]);
    await turn();
    const error = new Error("of c");
    release("c", { error });
    expect(await stateOf(results)).toBe(error);
    expect(log.slice(3)).toEqual(["close a", "close b"]);
  });

  test("rejects with an error of the inputs or of the operator, and closes the running ones", async () => {
    const { log, operator } = held();
    function* inputs(): Generator<string> {
      yield "a";
      throw new Error("no more inputs");
    }
    await expect(batchInvoke(operator, inputs())).rejects.toThrow("no more inputs");
    await turn();
    expect(log.filter((line) => line.startsWith("start")).length).toBe(log.length - log.filter((line) => line.startsWith("close")).length); // prettier-ignore
    const refusing: Operator<string, string> = () => {
      throw new Error("not applicable");
    };
    await expect(batchInvoke(refusing, ["a"])).rejects.toThrow("not applicable");
  });

  test("rejects with signal.reason, closes the running ones, and removes its listener", async () => {
    const { log, operator } = held();
    const controller = new AbortController();
    const results = batchInvoke(operator, ["a", "b", "c"], { concurrency: 2, signal: controller.signal });
    await turn();
    controller.abort(new Error("enough"));
    expect(await stateOf(results)).toBe(controller.signal.reason);
    expect(log).toEqual(["start a", "start b", "close a", "close b"]);
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });

  test("starts nothing more if reading the inputs aborts the signal", async () => {
    const { log, operator } = held();
    const controller = new AbortController();
    function* inputs(): Generator<string> {
      yield "a";
      controller.abort();
      yield "b";
    }
    const results = batchInvoke(operator, inputs(), { signal: controller.signal });
    expect(await stateOf(results)).toBe(controller.signal.reason);
    expect(log).not.toContain("start b");
  });

  test("starts nothing if the signal is already aborted", async () => {
    const { log, operator } = held();
    const signal = AbortSignal.abort();
    await expect(batchInvoke(operator, ["a"], { signal })).rejects.toBe(signal.reason);
    expect(log).toEqual([]);
  });

  test("removes its listener after success", async () => {
    const { signal } = new AbortController();
    await batchInvoke(map((n: number) => n), [1, 2], { signal }); // prettier-ignore
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test.each([0, 1.5])("rejects a concurrency of %s", async (concurrency) => {
    await expect(batchInvoke(map((n: number) => n), [1], { concurrency })).rejects.toThrow(RangeError); // prettier-ignore
  });
});
