/** The documents that the benchmarks read. They are generated from a seed, so every machine measures the same text. */
import { randomOf } from "./random.js";

/** Makes a document of `size` characters or slightly more. */
export type MakeInput = (size: number, seed?: number) => string;

type Random = () => number;

export const inputs = {
  /** Small indented records. */
  contacts: (size, seed = 1) => {
    const random = randomOf(seed);
    return grow(
      size,
      2,
      (contacts) => ({ contacts }),
      (id) => ({
        id,
        name: `${pick(random, firstNames)} ${pick(random, lastNames)}`,
        email: `${word(random, 6)}@${word(random, 8)}.example`,
        age: int(random, 18, 90),
        active: random() < 0.8,
        address: {
          street: `${int(random, 1, 200)} ${pick(random, lastNames)} Road`,
          city: word(random, 7),
          zip: null,
        },
        tags: list(int(random, 0, 4), () => word(random, 5)),
      }),
    );
  },

  /** Objects nested twelve deep, with recurring keys. */
  config: (size, seed = 2) => {
    const random = randomOf(seed);
    const level = (depth: number): object => ({
      enabled: random() < 0.5,
      limit: int(random, 0, 10_000),
      [pick(random, sections)]: depth === 0 ? [] : level(depth - 1),
    });
    return grow(
      size,
      0,
      (services) => ({ services }),
      () => level(12),
    );
  },

  /** Four strings of prose, each a quarter of the document, with escapes and characters outside the BMP. */
  strings: (size, seed = 3) => {
    const random = randomOf(seed);
    const text = (length: number): string => {
      const words: string[] = [];
      for (let left = length; left > 0;) {
        const next =
          random() < 0.06 ? pick(random, ["\n\n", '"so"', "naïve", "🦆", "C:\\tmp", "→"]) : word(random, 5);
        words.push(next);
        left -= JSON.stringify(next).length - 1;
      }
      return words.join(" ");
    };
    return JSON.stringify({
      chapters: list(4, (i) => ({ title: `Chapter ${i + 1}`, text: text(size / 4) })),
    });
  },

  /** Rows of numbers in all notations. */
  table: (size, seed = 4) => {
    const random = randomOf(seed);
    return grow(
      size,
      0,
      (rows) => ({ columns: ["t", "x", "y", "n"], rows }),
      (i) => [i, random() * 1e-7, Math.round(random() * 2e6 - 1e6) / 100, int(random, -1e9, 1e9)],
    );
  },

  /** One object with many records of twenty keys each. */
  orders: (size, seed = 5) => {
    const random = randomOf(seed);
    const keys = list(20, (i) => `${word(random, 6)}_${i}`);
    return grow(
      size,
      0,
      (orders) => ({ orders: Object.fromEntries(orders.map((order, i) => [`ord_${1_000_000 + i}`, order])) }),
      () =>
        Object.fromEntries(keys.map((key) => [key, random() < 0.5 ? word(random, 8) : int(random, 0, 1e5)])),
    );
  },
} satisfies Record<string, MakeInput>;

/** Adds elements until the document reaches the size. */
function grow(
  size: number,
  indent: number,
  wrap: (elements: readonly unknown[]) => unknown,
  element: (index: number) => unknown,
): string {
  const lengthOf = (elements: readonly unknown[]): number =>
    JSON.stringify(wrap(elements), null, indent).length;
  const empty = lengthOf([]);
  const elements: unknown[] = [];
  for (let length = empty; length < size;) {
    const next = element(elements.length);
    elements.push(next);
    length += lengthOf([next, next]) - lengthOf([next]);
  }
  return JSON.stringify(wrap(elements), null, indent);
}

function list<T>(length: number, make: (index: number) => T): T[] {
  return Array.from({ length }, (_, index) => make(index));
}

function int(random: Random, from: number, to: number): number {
  return from + Math.floor(random() * (to - from + 1));
}

function pick(random: Random, from: readonly string[]): string {
  return from[int(random, 0, from.length - 1)] as string;
}

function word(random: Random, length: number): string {
  return list(length, () => letters.charAt(int(random, 0, letters.length - 1))).join("");
}

const letters = "aaabcdeeeefghiijklmnnoopqrrssttuuvwxyz";
const sections = [
  ...["auth", "backup", "cache", "cluster", "database", "events", "features", "limits", "logging", "mail"],
  ...["metrics", "network", "paths", "proxy", "queue", "retry", "routing", "search", "storage", "tracing"],
];
const firstNames = ["Ada", "Grace", "Edsger", "Barbara", "Donald", "Radia", "Søren", "Zoë", "Tomás", "幸子"];
const lastNames = [
  "Lovelace",
  "Hopper",
  "Dijkstra",
  "Liskov",
  "Knuth",
  "Perlman",
  "O'Neill",
  "Müller",
  "Peña",
];
