/** The documents that the benchmarks read, generated from a seed: every machine measures the same text in the same cuts. */
import { blocks, copied, pieces } from "../test/support/pieces.js";
import { int, list, pick, type Random, randomOf } from "../test/support/random.js";

/** Makes a document of `size` characters or slightly more. */
export type MakeInput = (size: number, seed?: number) => string;

export const inputs = {
  /** Small indented records. */
  contacts: (size, seed = 1) => {
    const random = randomOf(seed);
    const contact = (id: number): object => ({
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
    });
    return grow(size, 2, (contacts) => ({ contacts }), contact);
  },

  /** Objects nested twelve deep, with recurring keys. */
  config: (size, seed = 2) => {
    const random = randomOf(seed);
    const level = (depth: number): object => ({
      enabled: random() < 0.5,
      limit: int(random, 0, 10_000),
      [pick(random, sections)]: depth === 0 ? [] : level(depth - 1),
    });
    const service = (): object => level(12);
    return grow(size, 0, (services) => ({ services }), service);
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
    const chapters = list(4, (i) => ({ title: `Chapter ${i + 1}`, text: text(size / 4) }));
    return JSON.stringify({ chapters });
  },

  /** Rows of numbers in all notations. */
  table: (size, seed = 4) => {
    const random = randomOf(seed);
    const columns = ["t", "x", "y", "n"];
    const row = (i: number): number[] => [
      i,
      random() * 1e-7,
      Math.round(random() * 2e6 - 1e6) / 100,
      int(random, -1e9, 1e9),
    ];
    return grow(size, 0, (rows) => ({ columns, rows }), row);
  },

  /** One object with many records of twenty keys each. */
  orders: (size, seed = 5) => {
    const random = randomOf(seed);
    const keys = list(20, (i) => `${word(random, 6)}_${i}`);
    const value = (): string | number => (random() < 0.5 ? word(random, 8) : int(random, 0, 1e5));
    const order = (): object => Object.fromEntries(keys.map((key) => [key, value()]));
    const named = (orders: readonly unknown[]): object =>
      Object.fromEntries(orders.map((it, i) => [`ord_${1_000_000 + i}`, it]));
    return grow(size, 0, (orders) => ({ orders: named(orders) }), order);
  },
} satisfies Record<string, MakeInput>;

export type CutName = keyof typeof cuts;

/** The ways to cut a document. */
export const cuts = {
  /** Like the tokens of a model. */
  "1-8": (text) => {
    const random = randomOf(7);
    return [...pieces(text, () => int(random, 1, 8))];
  },
  "4": (text) => blocks(text, 4),
  "64": (text) => blocks(text, 64),
  /** Like reads from a network. */
  "1 KB": (text) => blocks(text, 1024),
  whole: (text) => [copied(text)],
} satisfies Record<string, (text: string) => string[]>;

/** Adds elements until the document reaches the size. */
function grow(
  size: number,
  indent: number,
  wrap: (elements: readonly unknown[]) => unknown,
  element: (index: number) => unknown,
): string {
  const lengthOf = (elements: readonly unknown[]): number =>
    JSON.stringify(wrap(elements), null, indent).length;
  const elements: unknown[] = [];
  for (let length = lengthOf([]); length < size;) {
    const next = element(elements.length);
    elements.push(next);
    length += lengthOf([next, next]) - lengthOf([next]);
  }
  return JSON.stringify(wrap(elements), null, indent);
}

export function word(random: Random, length: number): string {
  return list(length, () => pick(random, letters)).join("");
}

const letters = "aaabcdeeeefghiijklmnnoopqrrssttuuvwxyz";
const sections = (
  "auth backup cache cluster database events features limits logging mail " +
  "metrics network paths proxy queue retry routing search storage tracing"
).split(" ");
const firstNames = "Ada Grace Edsger Barbara Donald Radia Søren Zoë Tomás 幸子".split(" ");
const lastNames = "Lovelace Hopper Dijkstra Liskov Knuth Perlman O'Neill Müller Peña".split(" ");
