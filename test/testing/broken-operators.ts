import type { Operator } from "millrace";
import type { LawErrorCode, LawOptions } from "millrace/testing";

/** An operator that breaks one law, and the law that must detect it. */
export interface Broken {
  readonly name: string;
  readonly create: () => Operator<number, number>;
  readonly options?: Partial<LawOptions<number, number>>;
  readonly code: LawErrorCode;
  /** Part of the name of the broken law. */
  readonly law: string;
  readonly message: RegExp;
}

type Result = IteratorResult<number, undefined>;
const done: Result = { done: true, value: undefined };

/** A correct operator. Each case below replaces one part. */
function byHand(change: (self: Hand) => Partial<Hand> = () => ({})): () => Operator<number, number> {
  return () => (source) => ({ [Symbol.asyncIterator]: () => opened(source, change) });
}

interface Hand {
  readonly source: AsyncIterator<number>;
  state: { over: boolean; line: Promise<unknown> };
  pull(): Promise<Result>;
  next(): Promise<Result>;
  return(): Promise<Result>;
  throw(error: unknown): Promise<Result>;
}

function opened(source: AsyncIterable<number>, change: (self: Hand) => Partial<Hand>): AsyncIterator<number> {
  const hand: Hand = {
    source: source[Symbol.asyncIterator](),
    state: { over: false, line: Promise.resolve() },
    async pull() {
      if (hand.state.over) return done;
      try {
        const result = await hand.source.next();
        if (result.done === true) hand.state.over = true;
        return result.done === true ? done : result;
      } catch (error) {
        hand.state.over = true;
        throw error;
      }
    },
    next() {
      const pull = (): Promise<Result> => hand.pull();
      const result = hand.state.line.then(pull, pull);
      hand.state.line = result;
      return result;
    },
    async return() {
      if (hand.state.over) return done;
      hand.state.over = true;
      void hand.source.return?.();
      return done;
    },
    async throw(error) {
      await hand.return();
      throw error;
    },
  };
  return Object.assign(hand, change({ ...hand }));
}

export const faithful: () => Operator<number, number> = byHand();

export const brokenOperators: readonly Broken[] = [
  {
    name: "eager: pulls when it is opened",
    create: byHand((self) => {
      const first = self.pull();
      let asked = false;
      return { pull: () => (asked ? self.pull() : ((asked = true), first)) };
    }),
    code: "lazy",
    law: "before the first next()",
    message: /\b1\b.*first next/,
  },
  {
    name: "greedy: pulls one item too many",
    create: byHand((self) => {
      let ahead: Promise<Result> | undefined;
      return {
        pull: async () => {
          const result = await (ahead ?? self.pull());
          ahead = self.pull();
          ahead.catch(() => {});
          return result;
        },
      };
    }),
    code: "lazy",
    law: "pulls only the items that its outputs need",
    message: /\[1\].*\b1\b.*\b2\b.*read-ahead of 0/,
  },
  {
    name: "greedy: pulls more than its stated bound",
    create: byHand((self) => {
      const ahead: Promise<Result>[] = [];
      return {
        pull: async () => {
          while (ahead.length < 5) ahead.push(self.pull());
          for (const result of ahead) result.catch(() => {});
          return ahead.shift() as Promise<Result>;
        },
      };
    }),
    options: { readAhead: 2 },
    code: "polite",
    law: "queues calls of next()",
    message: /\b5\b.*next\(\).*\b2\b/,
  },
  {
    name: "reentrant: forwards overlapping next() calls",
    create: byHand((self) => ({ next: () => self.pull() })),
    code: "polite",
    law: "queues calls of next()",
    message: /next\(\)/,
  },
  {
    name: "unfair: answers the last caller first",
    create: byHand((self) => {
      const line: ((result: Promise<Result>) => void)[] = [];
      let serving = false;
      const serve = async (): Promise<void> => {
        if (serving) return;
        serving = true;
        for (let caller = line.pop(); caller !== undefined; caller = line.pop()) {
          const result = self.pull();
          caller(result);
          await result.catch(() => {});
        }
        serving = false;
      };
      return {
        next: () =>
          new Promise((resolve) => {
            line.push(resolve);
            void serve();
          }),
      };
    }),
    code: "polite",
    law: "queues calls of next()",
    message: /next\(\).*\[1,/,
  },
  {
    name: "forgetful: never answers the second caller",
    create: byHand((self) => {
      let busy = false;
      return {
        next: async () => {
          if (busy) return new Promise<never>(() => {});
          busy = true;
          return self.pull().finally(() => {
            busy = false;
          });
        },
      };
    }),
    options: { result: () => "whatever" },
    code: "polite",
    law: "queues calls of next()",
    message: /was never answered/,
  },
  {
    name: "impolite: pulls after the end",
    create: byHand((self) => ({
      pull: async () => {
        const result = await self.source.next();
        return result.done === true ? done : result;
      },
    })),
    code: "polite",
    law: "no next() after the end",
    message: /next\(\).*ended/,
  },
  {
    name: "impolite: pulls after return()",
    create: byHand((self) => ({
      return: async () => {
        if (!self.state.over) {
          void self.source.return?.();
          void self.source.next();
        }
        self.state.over = true;
        return done;
      },
    })),
    code: "polite",
    law: "no next() after the end",
    message: /return\(\) after 0 outputs.*next\(\).*closed/,
  },
  {
    name: "undead: yields items after return()",
    create: byHand((self) => {
      let left = false;
      return {
        return: async () => {
          left = true;
          return self.return();
        },
        pull: async () => (left ? { done: false, value: 0 } : self.pull()),
      };
    }),
    code: "polite",
    law: "no next() after the end",
    message: /return\(\).*\{"kind":"item","item":0\}/,
  },
  {
    name: "leaky: does not close its source",
    create: byHand((self) => ({
      return: async () => {
        self.state.over = true;
        return done;
      },
    })),
    code: "closes-once",
    law: "when the consumer leaves, before the first item and after each",
    message: /return\(\) at position 0 of a ready source.*still open/,
  },
  {
    name: "leaky: closes a source only after it has pulled from it",
    create: byHand((self) => {
      let started = false;
      return {
        pull: () => ((started = true), self.pull()),
        return: async () => (started ? self.return() : done),
      };
    }),
    code: "closes-once",
    law: "when the consumer leaves, before the first item and after each",
    message: /position 0 of a ready source.*still open/,
  },
  {
    name: "double-closing",
    create: byHand((self) => ({
      return: async () => {
        if (!self.state.over) void self.source.return?.();
        return self.return();
      },
    })),
    code: "closes-once",
    law: "when the consumer leaves, before the first item and after each",
    message: /closed 2 times/,
  },
  {
    name: "clinging: return() does not settle",
    create: byHand((self) => ({
      return: async () => {
        await self.return();
        return new Promise<never>(() => {});
      },
    })),
    code: "closes-once",
    law: "when the consumer leaves, before the first item and after each",
    message: /\{"kind":"silence"\}/,
  },
  {
    name: "leaky: does not close on throw()",
    create: byHand(() => ({
      throw: async (error) => {
        throw error;
      },
    })),
    code: "closes-once",
    law: "when the consumer throws into it",
    message: /throw\(\) at position 0.*still open/,
  },
  {
    name: "error-hiding: throw() does not reject",
    create: byHand((self) => ({ throw: async () => self.return() })),
    code: "closes-once",
    law: "when the consumer throws into it",
    message: /\{"kind":"done"\}.*error/,
  },
  {
    name: "slow to close: closes only when the pull has settled, like a generator",
    create: () =>
      async function* (source) {
        for await (const item of source) yield item;
      },
    code: "closes-once",
    law: "while the source hangs",
    message: /hangs at position 0.*still open/,
  },
  {
    name: "error-wrapping",
    create: byHand((self) => ({
      pull: async () => {
        try {
          return await self.pull();
        } catch (cause) {
          throw new Error("wrapped", { cause });
        }
      },
    })),
    code: "honest-errors",
    law: "as the same object",
    message: /error at position 0 of a ready source/,
  },
  {
    name: "error-swallowing",
    create: byHand((self) => ({ pull: () => self.pull().catch(() => done) })),
    code: "honest-errors",
    law: "as the same object",
    message: /ended with \{"kind":"done"\}/,
  },
  {
    name: "hasty: an error overtakes an item",
    create: byHand((self) => {
      let held: Result | undefined;
      return {
        pull: async () => {
          if (held !== undefined) {
            const result = held;
            held = undefined;
            return result;
          }
          const result = await self.pull();
          if (result.done === true) return result;
          const other = self.pull();
          await Promise.race([other, later()]);
          void other.then((next) => (held = next));
          return result;
        },
      };
    }),
    code: "honest-errors",
    law: "as the same object",
    message: /expected .* before it, but found/,
  },
  {
    name: "closes a source that has failed",
    create: byHand((self) => ({
      pull: async () => {
        try {
          return await self.pull();
        } catch (error) {
          void self.source.return?.();
          throw error;
        }
      },
    })),
    code: "polite",
    law: "as the same object",
    message: /return\(\).*failed/,
  },
  {
    name: "endless",
    create: byHand((self) => ({
      pull: async () => {
        const result = await self.pull();
        return result.done === true ? new Promise<never>(() => {}) : result;
      },
    })),
    code: "ends",
    law: "ends when the source does",
    message: /0 items.*\{"kind":"silence"\}/,
  },
  {
    name: "ends twice, with an item in between",
    create: byHand((self) => {
      let ends = 0;
      return {
        pull: async () => {
          const result = await self.pull();
          return result.done === true && ++ends === 2 ? { done: false, value: 0 } : result;
        },
      };
    }),
    code: "ends",
    law: "ends when the source does",
    message: /after the end.*\{"kind":"item","item":0\}/,
  },
  {
    name: "opens its source twice and leaves one of them open",
    create: () => (source) => ({
      [Symbol.asyncIterator]: () => {
        source[Symbol.asyncIterator]();
        return opened(source, () => ({}));
      },
    }),
    code: "closes-once",
    law: "ends when the source does",
    message: /still open/,
  },
  {
    name: "stateful: all iterations share one state",
    create: (): Operator<number, number> => {
      let sum = 0;
      return byHand((self) => ({
        pull: async () => {
          const result = await self.pull();
          return result.done === true ? result : { done: false, value: (sum += result.value) };
        },
      }))();
    },
    code: "reusable",
    law: "can be used again",
    message: /\[1,3,6,10\]/,
  },
  {
    name: "split-dependent: the output depends on how the input was split",
    create: byHand(),
    options: { cut: () => [[10], [4, 6]], result: (outputs) => outputs.reduce((sum, n) => sum + n * n, 0) },
    code: "split-invariant",
    law: "split-invariant",
    message: /\[10\].*\b100\b.*\b30\b/,
  },
  {
    name: "deaf: ignores an abort before it",
    create: byHand((self) => ({
      pull: () => self.pull().catch(() => new Promise<never>(() => {})),
    })),
    code: "abortable",
    law: "while the source hangs, with abortable(signal) before it",
    message: /hangs at position 0.*\{"kind":"silence"\}/,
  },
  {
    name: "deaf: ends without the reason when it is aborted before it, between two pulls",
    create: byHand((self) => ({ pull: () => self.pull().catch(() => done) })),
    code: "abortable",
    law: "while the consumer is busy, with abortable(signal) before it",
    message: /busy at position 0.*\{"kind":"done"\}/,
  },
  {
    name: "leaky when it is aborted after it while the source hangs",
    create: () =>
      async function* (source) {
        for await (const item of source) yield item;
      },
    code: "closes-once",
    law: "while the source hangs, with abortable(signal) after it",
    message: /the source is still open/,
  },
  {
    name: "leaky when it is aborted after it between two pulls",
    create: byHand((self) => ({
      return: async () => {
        self.state.over = true;
        return done;
      },
    })),
    code: "closes-once",
    law: "while the consumer is busy, with abortable(signal) after it",
    message: /position 0.*still open/,
  },
];

function later(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 1);
  });
}
