import fc from "fast-check";

/** Properties of a text. */
export interface TextOptions {
  /** Members may have the same key. Default: true. */
  readonly duplicates?: boolean;
  /** Surrogates, in pairs and alone, unescaped and escaped. Default: true. */
  readonly surrogates?: boolean;
  /** White space between tokens. Default: true. */
  readonly whiteSpace?: boolean;
}

/**
 * A JSON text, generated as text and not by `JSON.stringify()`, with every spelling of RFC 8259. `JSON.parse()`
 * determines its value.
 */
export function jsonText(options: TextOptions = {}): fc.Arbitrary<string> {
  const { duplicates = true } = options;
  const space = options.whiteSpace === false ? fc.constant("") : whiteSpace;
  const characters = stringCharacters(options.surrogates ?? true);
  const string = fc.array(characters, { maxLength: 6 }).map((parts) => `"${parts.join("")}"`);
  const key = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...commonKeys).map(written) },
    { weight: 1, arbitrary: string },
  );
  const { value, container } = fc.letrec<{ value: string; container: string }>((tie) => {
    const item = tie("value");
    const member = fc.tuple(key, space, item).map(([name, before, text]) => ({
      key: name,
      text: `${name}${before}:${text}`,
    }));
    const members = duplicates
      ? fc.array(member, { maxLength: 3, depthIdentifier: "json" })
      : fc.uniqueArray(member, {
          maxLength: 3,
          depthIdentifier: "json",
          selector: (one) => JSON.parse(one.key) as string,
        });
    const object = fc
      .tuple(space, members)
      .map(([gap, list]) => `{${list.map(({ text }) => gap + text).join(`${gap},`)}${gap}}`);
    const array = fc
      .tuple(space, fc.array(item, { maxLength: 3, depthIdentifier: "json" }))
      .map(([gap, list]) => `[${gap}${list.join(",")}${gap}]`);
    return {
      container: fc.oneof({ weight: 3, arbitrary: object }, { weight: 2, arbitrary: array }),
      value: spaced(
        fc.oneof(
          { maxDepth: 4, depthIdentifier: "json" },
          { weight: 2, arbitrary: string },
          { weight: 1, arbitrary: numberText },
          { weight: 1, arbitrary: fc.constantFrom("true", "false", "null") },
          { weight: 5, arbitrary: tie("container") },
        ),
        space,
      ),
    };
  });
  return fc.oneof({ weight: 1, arbitrary: value }, { weight: 4, arbitrary: spaced(container, space) });
}

/** Every form of RFC 8259 section 6, including numbers that a double cannot represent. */
const numberText: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom("", "-"),
    fc.oneof(fc.constant("0"), fc.stringMatching(/^[1-9][0-9]{0,20}$/), fc.stringMatching(/^[1-9][0-9]?$/)),
    fc.oneof(fc.constant(""), fc.stringMatching(/^\.[0-9]{1,18}$/)),
    fc.oneof(fc.constant(""), fc.stringMatching(/^[eE][+-]?[0-9]{1,3}$/)),
  )
  .map((parts) => parts.join(""));

/** Valid texts, and texts that are invalid, truncated or followed by more text: a few edits away. */
export function nearlyJsonText(): fc.Arbitrary<string> {
  const edit = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    remove: fc.nat(2),
    insert: fc.oneof(
      fc.constant(""),
      fc.constantFrom(...significant),
      fc.stringMatching(/^[\][{}",:tfn0-9eE.+\\u/-]{1,3}$/),
    ),
  });
  return fc.tuple(jsonText(), fc.array(edit, { maxLength: 2 })).map(([text, edits]) =>
    edits.reduce((before, { at, remove, insert }) => {
      const place = Math.floor(at * before.length);
      return before.slice(0, place) + insert + before.slice(place + remove);
    }, text),
  );
}

const whiteSpace: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: fc.constant("") },
  { weight: 1, arbitrary: fc.constantFrom(" ", "\n", "\r\n", "\t", "  \n\t ") },
);

function spaced(text: fc.Arbitrary<string>, space: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(space, text, space).map((parts) => parts.join(""));
}

/** Few keys, so that they repeat. Some have a meaning in JavaScript or in a JSON Pointer. */
const commonKeys = [
  "a",
  "b",
  "",
  "0",
  "1",
  "-",
  "~",
  "/",
  "~1",
  "a/b",
  "__proto__",
  "constructor",
  "length",
  "toString",
];

function written(key: string): string {
  return JSON.stringify(key);
}

function stringCharacters(surrogates: boolean): fc.Arbitrary<string> {
  const plain: fc.Arbitrary<string>[] = [
    fc.constantFrom("a", "b", "c", " ", "{", "}", "[", "]", ",", ":", "0", "e", "u", "n"),
    fc.constantFrom("é", "ß", "中", "\u2028", "\u2029", "\u007f", "\ufeff", "\u00a0"),
    fc.constantFrom('\\"', "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t"),
    fc.constantFrom("\\u0000", "\\u001f", "\\u00e9", "\\u00E9", "\\u0022", "\\u005c", "\\u0061"),
  ];
  const pairs: fc.Arbitrary<string>[] = [
    fc.constantFrom("😀", "𝒳", "\u{10ffff}"),
    fc.constantFrom("\\ud83d\\ude00", "\\uD835\\uDCB3", "\ud83d\\ude00", "\\ud83d\ude00"),
    fc.constantFrom("\ud800", "\udbff", "\udc00", "\udfff", "\\ud800", "\\uDBFF", "\\udc00", "\\uDFFF"),
  ];
  return fc.oneof(...plain, ...(surrogates ? pairs : []));
}

const significant = [
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  '"',
  "\\",
  "\n",
  "\u0000",
  "-",
  "0",
  "+",
  ".",
  "e",
  "é",
  "\u00a0",
  "\ufeff",
];
