import fc from "fast-check";
import type { XmlItem, XmlObject } from "millrace/xml";
import { XmlParser } from "millrace/xml";
import { everyCut, fixedSizes, randomPartitions } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { agrees, resultOf } from "../../xml/support/oracle.js";
import { play, type Look } from "../../xml/support/play.js";
import { anyCharacter } from "../../support/any-character.js";

/** A tree as in docs/reference/xml.md: no adjacent texts, and no white space alone beside children. */
const name = fc.constantFrom(
  "a",
  "b",
  "_c.1",
  "x:y",
  "__proto__",
  "constructor",
  "größe",
  "think",
  "p",
  "li",
  "file",
  "input",
);
const text = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
  .map((it) => it.replace(/[^\t\n\x20-\ud7ff\u{10000}-\u{10ffff}]/gu, "&<]]>"))
  .map((it) => (it.trim() === "" ? "x" : it));
const { element } = fc.letrec<{ element: XmlObject; content: XmlObject[string] }>((tie) => ({
  element: fc.tuple(name, tie("content")).map(([key, content]) => ({ [key]: content })),
  content: fc.oneof(
    { depthSize: "small" },
    fc.oneof(text, fc.constant("")),
    fc
      .tuple(
        fc.uniqueArray(fc.tuple(name, fc.oneof(text, fc.constant(""))), {
          selector: ([key]) => key,
          maxLength: 2,
        }),
        fc.array(fc.oneof(text, tie("element")), { maxLength: 4 }),
      )
      .filter(([attributes, items]) => attributes.length > 0 || items.some((it) => typeof it === "object"))
      .map(([attributes, items]): XmlItem[] => [
        ...attributes.map(([key, value]): XmlObject => ({ [`@${key}`]: value })),
        ...items.filter((it, i) => typeof it === "object" || typeof items[i - 1] === "object" || i === 0),
      ]),
  ),
}));

function write(item: XmlItem): string {
  if (typeof item === "string") return escaped(item);
  const [key, content] = Object.entries(item)[0] as [string, XmlObject[string]];
  if (typeof content === "string")
    return content === "" ? `<${key}/>` : `<${key}>${escaped(content)}</${key}>`;
  let attributes = "";
  let inner = "";
  for (const child of content) {
    const [childName, value] =
      typeof child === "string" ? ["", ""] : (Object.entries(child)[0] as [string, string]);
    if (childName.startsWith("@")) attributes += ` ${childName.slice(1)}="${escaped(value)}"`;
    else inner += write(child);
  }
  return `<${key}${attributes}>${inner}</${key}>`;
}

function escaped(value: string): string {
  return value.replace(/[&<>"\n\t]/g, (it) => `&#${it.charCodeAt(0)};`);
}

describe("for any tree", () => {
  test.each(["events", "snapshots", "patches", "rarely"] as const)(
    "written as XML and split anywhere, it is read as the same tree (%s)",
    (look: Look) => {
      fc.assert(
        fc.property(element, fc.integer(), fc.boolean(), (tree, seed, strict) => {
          const root = Object.keys(tree)[0] as string;
          const xml = write(tree);
          for (const chunks of randomPartitions(xml, { seed, count: 2 })) {
            const options = strict ? {} : ({ extract: "auto", repair: true, root } as const);
            const { value, error, repairs } = play(chunks, { ...options, append: seed % 2 === 0 }, look);
            expect(error).toBeUndefined();
            expect(repairs).toEqual([]);
            expect(value).toEqual(tree);
          }
        }),
        { numRuns: 150 },
      );
    },
  );
});

/** Common and unusual pieces, and some that are invalid. `/` is the end tag of the innermost element. */
const pieces = [
  '<b>¦<b/>¦<b.-_:9 />¦<b c="1">¦<b c=\'"\'\nd=">"/>¦<__proto__ constructor=\'1\'>¦/¦/¦/¦/¦/ ¦/.¦x¦ y ¦&amp;¦&#65;¦]¦]]¦>¦\n',
  "<b c='1' c='2'>¦<b c='1'd='2'>¦<b c = '1'>¦<b c='\t&lt;\n'>¦<b c='é\u2028'/>¦<b c='\u0085'>¦<b\r>¦<b c='\u0001'/>",
  "<é>¦<-b>¦<9>¦<b c>¦<b c=1>¦<b c='<'/>¦<b/ >¦<b c='😀'/>¦</b¦</c>¦</¦<a/>¦<![CDATA[¦<![CDATA[<\r]]>¦<!-- - -->",
  "<!-- -- -->¦<?p q?>¦<?xml?>¦<!x¦&#x1;¦&#0;¦&c;¦&¦<¦]]>¦é¦😀¦\ude00¦\r¦\r\n¦\r\u0085¦\u0085¦\u2028¦\u007f¦\u0001¦\ufffe",
].flatMap((line) => line.split("¦"));

function documentOf(prolog: string, parts: readonly string[]): string {
  const open = ["a"];
  let text = `${prolog}<a>`;
  for (const part of parts) {
    text += part.startsWith("/") ? `</${open.pop() ?? "b"}${part.slice(1)}>` : part;
    const tag = /^<([^\s/>!?]+)[^]*[^/]>$/.exec(part);
    if (tag !== null) open.push(tag[1] as string);
  }
  return (
    text +
    open
      .reverse()
      .map((it) => `</${it}>`)
      .join("")
  );
}

describe("for any document of common and unusual pieces", () => {
  // G-parsers-10
  test("a document that saxes rejects is rejected, and others have the same events, for any split", () => {
    const counts = { accepted: 0, refused: 0 };
    const prolog = fc.constantFrom("", '<?xml version="1.0"?>', '<?xml version="1.1"?>');
    const parts = fc.array(fc.constantFrom(...pieces), { maxLength: 8 });
    fc.assert(
      fc.property(prolog, parts, fc.integer(), fc.boolean(), (start, some, seed, namespaces) => {
        const input = documentOf(start, some);
        const expected = resultOf(input, namespaces);
        counts[expected.problem === undefined ? "accepted" : "refused"]++;
        for (const chunks of [[input], ...randomPartitions(input, { seed, count: 1 })]) {
          const reading = play(chunks, { namespaces }, "events");
          if (!agrees(expected, reading)) expect({ chunks, reading }).toEqual(expected);
        }
      }),
      { numRuns: 1_000 },
    );
    expect(Math.min(counts.accepted, counts.refused)).toBeGreaterThan(150);
  });
});

describe("for any text", () => {
  const soup = fc
    .array(
      fc.constantFrom(
        "<a>",
        "</a>",
        "<b c='",
        "'",
        ">",
        "/>",
        "<",
        "&",
        "&amp;",
        "]]>",
        "<![CDATA[",
        "<!--",
        "-->",
        "x ",
        "<br>",
        "<b c=",
        "<B d ",
        "T<b>",
        "</b>",
        "</B>",
        "/",
        "\r",
        "`",
        "<li>",
        "<li/>",
        "</li>",
        "word <file> ",
        "< /a>",
        "</ b>",
        "<input b='1'>",
        "<b c=http://d/>",
        "<b c=“1 2”>",
        '<b c="1 "2" 3"d="4">',
        "--",
        "\u0007",
        "<?p ",
        "?>",
        "\ud83d",
        "😀",
      ),
      { maxLength: 14 },
    )
    .map((pieces) => `<a>${pieces.join("")}`);

  test("the result is the same for any split, including errors", () => {
    fc.assert(
      fc.property(soup, fc.integer(), fc.boolean(), (input, seed, strict) => {
        const options = strict ? {} : ({ extract: "auto", repair: true } as const);
        const whole = play([input], options, "events");
        for (const chunks of randomPartitions(input, { seed, count: 3 })) {
          const { events: _, ...reading } = play(chunks, options, "snapshots");
          expect(reading).toEqual({ ...whole, events: undefined });
        }
      }),
      { numRuns: 400 },
    );
  });

  // Found by the property above: the scanner looked for half a pair after the end of the root, too.
  test.each([1, 7, 8, 11])("a lone surrogate after the root is prose, in chunks of %i", (size) => {
    const input = "<a></a>\ud83d<a>";
    const chunks = [...fixedSizes(input, [size])].flat();
    expect(play(chunks, { extract: "auto", repair: true }, "snapshots").error).toBeUndefined();
  });

  // Tags in a cut comment were counted; the end of thinking was dropped.
  test.each([
    "<r>List<String>x <!-- </String> -->y</r>",
    "<r>List<String>x <![CDATA[ </String> ]]>y</r>",
    "<ul><li>1<li>2<!-- </li></li> --></ul>",
    `<think>a</think${" ".repeat(20)}><r>x</r>`,
    `<think>a</think${" ".repeat(40)}><r>x</r>`,
    `<!DOCTYPE a [ <!ENTITY x 'y'> ]${" ".repeat(40)}><r>x</r>`,
  ])("the result is the same for each single cut: %s", (input) => {
    const options = { extract: "auto", repair: true } as const;
    const whole = play([input], options, "snapshots");
    for (const chunks of [...everyCut(input), input])
      expect(play(chunks, options, "snapshots")).toEqual(whole);
  });

  test.each([200, 255, 256, 300])("tags of %i characters are read alike in chunks of any size", (length) => {
    const options = { extract: "auto", repair: true } as const;
    for (const [before, fill, after] of [
      ['<page><link href="', "x", '"><title>Hi</title></page>'],
      ["<r><a>x</A", " ", "></r>"],
      ['<r><a>x</a id="', "x", '"></r>'],
      ["<r><a>x</a", " ", "<b>1</b></r>"],
      ['<r><a b="1"', "c", `='2'>x</a></r>`],
      ["<r><a b='1', ", "c", '="2">x</a></r>'],
      ['<r><a b="', "x", '" c=/></r>'],
      ['<r><a b="', "x", '" c=&lt;>x</a></r>'],
      ["<r>if x <y", "z", "> w</r>"],
      ["<r>List<T", "x", ">, y</r>"],
      ["<r>x <y and ", "z", "> w</r>"],
    ] as const) {
      const input = before + fill.repeat(length - before.length + before.lastIndexOf("<")) + after;
      const results = [1, 20, 255, 256, 257, input.length].map((size) => {
        const { error, value } = play([...fixedSizes(input, [size])].flat(), options, "snapshots");
        return { code: error?.code, value };
      });
      expect(new Set(results.map((it) => JSON.stringify(it))).size).toBe(1);
    }
  });

  test.each(["\u0085 x", "\u2028<a/>", "\ufeff \ufeff(", "<a/>\u0085\u0085"])(
    "%j outside of the root is refused at the same place for each single cut",
    (input) => {
      const { error } = play([input], {}, "snapshots");
      expect(error?.offset).toBeLessThan(input.length);
      for (const chunks of [...everyCut(input), input])
        expect(play(chunks, {}, "snapshots").error).toEqual(error);
    },
  );

  // G-parsers-10
  test("only an XmlParseError is thrown", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (input) => {
        const parser = new XmlParser({ extract: "auto", repair: true, onTruncated: "keep" });
        parser.write(input);
        parser.end();
      }),
    );
  });
});
