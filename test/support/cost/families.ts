import { int, pick, type Random } from "../random.js";
import { type Language, languages } from "./languages.js";

/** A way to make texts of any length out of a few parts. */
export interface Family {
  readonly name: string;
  readonly parts: readonly string[];
  readonly write: (parts: readonly string[], length: number) => string;
}

type Write = Family["write"];

const repeated = (text: string, length: number): string =>
  text === "" ? "" : text.repeat(Math.ceil(length / text.length));
/** A part that is written again with another number each time. */
const numbered = (text: string, length: number): string => {
  let written = "";
  if (text === "") return "";
  for (let i = 0; written.length < length; i++) written += text.replaceAll("#", String(i));
  return written;
};

/** How the parts become a text: `parts[0]` is a head, which may be empty. */
const writers: Readonly<Record<string, Write>> = {
  "one repeated": ([head = "", one = ""], length) => head + repeated(one, length),
  "several in turn": ([head = "", ...others], length) => head + numbered(others.join(""), length),
  "openers, then closers": ([head = "", opener = "", closer = ""], length) =>
    head + repeated(opener, length / 2) + repeated(closer, length / 2),
  // Beyond the usual limit of depth, all is refused.
  "deep, then others": ([head = "", opener = "", ...others], length) =>
    head + opener.repeat(400) + numbered(others.join(""), length),
  "one large, then many small": ([head = "", large = "", ...small], length) =>
    head + large.replace("#", repeated("abcdefg ", length / 2)) + numbered(small.join(""), length / 2),
  "one wide, then many small": ([head = "", large = "", ...small], length) =>
    head + large.replace("#", numbered('x","k#":"', length / 2)) + numbered(small.join(""), length / 2),
  "long names": ([head = "", one = "", ...others], length) =>
    head + repeated(one.replace("#", "n".repeat(300)) + others.join(""), length),
  "long paths": ([head = "", one = "", ...others], length) =>
    head + numbered(one.replace("#", `#${"/key".repeat(90)}`) + others.join(""), length),
};

/** Makes a family of a language. */
export function familyOf(random: Random, language: Language): Family {
  const { heads, parts } = languages[language];
  const name = pick(random, Object.keys(writers));
  const part = (): string => (random() < 0.35 ? pick(random, characters) : pick(random, parts));
  const head = pick(random, ["", ...heads]) + (random() < 0.2 ? part() : "");
  return {
    name,
    parts: [head, ...Array.from({ length: int(random, 1, 4) }, part)],
    write: writers[name] as Write,
  };
}

const characters = Array.from("[]{}()\"':,\\/.-*#<>=&!;_+1ae \n\t“”`…\u00a0");
