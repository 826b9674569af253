import { randomOf } from "../random.js";

/** The text of a list with `count` items of one to four words. Reproducible. */
export const listTexts = {
  comma: (count) => itemsOf(count).join(", "),
  numbered: (count) =>
    itemsOf(count)
      .map((item, i) => `${i + 1}. ${item}`)
      .join("\n"),
  markdown: (count) =>
    itemsOf(count)
      .map((item) => `- ${item}`)
      .join("\n"),
} satisfies Readonly<Record<string, (count: number) => string>>;

export type ListKind = keyof typeof listTexts;
export const listKinds = Object.keys(listTexts) as ListKind[];

function itemsOf(count: number): string[] {
  const random = randomOf(count);
  const upTo = (limit: number): number => Math.floor(random() * limit);
  const letter = (): string => String.fromCharCode(0x61 + upTo(26));
  const word = (): string => Array.from({ length: 2 + upTo(8) }, letter).join("");
  return Array.from({ length: count }, () => Array.from({ length: 1 + upTo(4) }, word).join(" "));
}
