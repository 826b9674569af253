import { isDeepStrictEqual } from "node:util";
import type { JsonValue } from "millrace";
import { applyPatch } from "millrace/json";
import { addIncrements, XmlParser, type XmlObject } from "millrace/xml";
import { everyCut } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { manyWays } from "./support/cuts.js";
import { play, type Look } from "./support/play.js";
import { documents, outputs } from "./support/transcripts.js";

const looks: readonly Look[] = ["events", "snapshots", "patches", "rarely"];

describe.each([
  ["an XML document", documents],
  ["the text of a model", outputs],
] as const)("in %s", (_, transcripts) => {
  test.each(transcripts)("$name: the same for any split", (transcript) => {
    const { input, options = {}, repairs = [] } = transcript;
    const whole = play([input], options, "events");
    expect(whole.error).toBeUndefined();
    expect(whole.value).toEqual(transcript.expect);
    expect(whole.repairs).toEqual(repairs);
    let i = 0;
    for (const chunks of manyWays(input)) {
      const look = looks[i++ % looks.length] as Look;
      const reading = play(chunks, options, look);
      const sameEvents = look === "events" ? reading.events : whole.events;
      const same = { ...reading, events: sameEvents };
      if (!isDeepStrictEqual(same, whole)) expect(same, JSON.stringify(chunks)).toEqual(whole);
    }
  });
});

describe("an XmlParser", () => {
  /** The value after each chunk. */
  const shown = (chunks: readonly string[], options = {}): unknown[] => {
    const parser = new XmlParser(options);
    return chunks.map((chunk) => {
      parser.write(chunk);
      return parser.snapshot();
    });
  };

  test("shows a text while it grows, not only at the next tag", () => {
    expect(shown(["<a>He", "ll", "o", "</a>"])).toEqual([
      { a: "He" },
      { a: "Hell" },
      { a: "Hello" },
      { a: "Hello" },
    ]);
  });

  test("shows a section while it grows", () => {
    expect(shown(["<a><![CDATA[if (a ", "< b]", "]) {", "}]]", "></a>"])).toEqual([
      { a: "if (a " },
      { a: "if (a < b" },
      { a: "if (a < b]]) {" },
      { a: "if (a < b]]) {}" },
      { a: "if (a < b]]) {}" },
    ]);
  });

  test("hides half a reference, half a surrogate pair and half a line break", () => {
    expect(shown(["<a>1&am", "p;2\ud83d", "\ude003\r", "\n4"])).toEqual([
      { a: "1" },
      { a: "1&2" },
      { a: "1&2😀3" },
      { a: "1&2😀3\n4" },
    ]);
  });

  test("shows an element when it is known to be a text or a list", () => {
    expect(shown(["<a>", "\n", "<b>", "<c>", "1", "</c><d>", "</d>"])).toEqual([
      undefined,
      undefined,
      { a: [] },
      { a: [{ b: [] }] },
      { a: [{ b: [{ c: "1" }] }] },
      { a: [{ b: [{ c: "1" }] }] },
      { a: [{ b: [{ c: "1" }, { d: "" }] }] },
    ]);
  });

  test("converts a text to the first item of a list when a child follows", () => {
    const parser = new XmlParser();
    parser.write("<a><p>Hi ");
    expect(parser.takePatch()).toEqual([{ op: "replace", path: "", value: { a: [{ p: "Hi " }] } }]);
    parser.write("all <b>you");
    expect(parser.takePatch()).toEqual([{ op: "replace", path: "/a/0/p", value: ["Hi all ", { b: "you" }] }]);
  });

  test("its patches contain only new values", () => {
    const parser = new XmlParser();
    const patches = ["<a>\n<b x='1'>He", "llo", "</b><c/>", "<d><e>", "</e>", " </d></a>"].map((chunk) => {
      parser.write(chunk);
      return parser.takePatch();
    });
    expect(patches).toEqual([
      [{ op: "replace", path: "", value: { a: [{ b: [{ "@x": "1" }, "He"] }] } }],
      [{ op: "replace", path: "/a/0/b/1", value: "Hello" }],
      [{ op: "add", path: "/a/1", value: { c: "" } }],
      [{ op: "add", path: "/a/2", value: { d: [] } }],
      [{ op: "add", path: "/a/2/d/0", value: { e: "" } }],
      [],
    ]);
  });

  test("with append, extends texts by their suffix", () => {
    const parser = new XmlParser({ append: true });
    const patches = ["<a><b>He", "ll", "o</b>x", "y<c", "/>z", "</a>"].map((chunk) => {
      parser.write(chunk);
      return parser.takePatch();
    });
    expect(patches).toEqual([
      [{ op: "replace", path: "", value: { a: [{ b: "He" }] } }],
      [{ op: "append", path: "/a/0/b", value: "ll" }],
      [
        { op: "append", path: "/a/0/b", value: "o" },
        { op: "add", path: "/a/1", value: "x" },
      ],
      [{ op: "append", path: "/a/1", value: "y" }],
      [
        { op: "add", path: "/a/2", value: { c: "" } },
        { op: "add", path: "/a/3", value: "z" },
      ],
      [],
    ]);
  });

  test("returns the same objects for unchanged values", () => {
    const parser = new XmlParser();
    parser.write("<a><b><c>1</c></b><d>2");
    const before = parser.snapshot() as { a: object[] };
    expect(parser.snapshot()).toBe(before);
    parser.write("3");
    const after = parser.snapshot() as { a: object[] };
    expect(after).not.toBe(before);
    expect(before).toEqual({ a: [{ b: [{ c: "1" }] }, { d: "2" }] });
    expect(after.a[0]).toBe(before.a[0]);
    parser.write("</d>");
    expect(parser.snapshot()).toBe(after);
    parser.write("</a>");
    parser.end();
    expect(parser.snapshot()).toBe(after);
  });

  // G-parsers-12
  test("never sets a prototype", () => {
    const parser = new XmlParser();
    parser.write("<__proto__><polluted>1</polluted></__proto__>");
    const value = parser.snapshot() as object;
    expect(Object.keys(value)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  // G-parsers-12
  test.each([{}, { repair: true }, { namespaces: true }, { append: true }])(
    "keeps attributes such as __proto__, wherever the text is cut: %o",
    (options) => {
      const text = '<a __proto__="x" b="y" constructor="z"><__proto__ toString="1">t</__proto__></a>';
      const whole =
        '{"a":[{"@__proto__":"x"},{"@b":"y"},{"@constructor":"z"},{"__proto__":[{"@toString":"1"},"t"]}]}';
      for (const chunks of everyCut(text)) {
        const opened: [string, string][][] = [];
        const increments: XmlObject[] = [];
        const parser = new XmlParser({
          ...options,
          onEvent: (event) => {
            if (event.type === "open") opened.push(Object.entries(event.attributes));
          },
          onLeaf: (increment) => increments.push(increment),
        });
        let patched: JsonValue = null;
        for (const chunk of chunks) {
          parser.write(chunk);
          patched = applyPatch(patched, parser.takePatch());
        }
        parser.end();
        expect(opened).toEqual([
          [
            ["__proto__", "x"],
            ["b", "y"],
            ["constructor", "z"],
          ],
          [["toString", "1"]],
        ]);
        patched = applyPatch(patched, parser.takePatch());
        for (const value of [parser.snapshot(), increments.reduce(addIncrements), patched])
          expect(JSON.stringify(value)).toBe(whole);
      }
    },
  );

  test("yields events with depth, attributes and namespaces", () => {
    const input = `<?xml version="1.0"?><a xmlns="urn:a" b="1">x<!--y--><c/><?z w?><![CDATA[v]]></a>`;
    const { events } = play([input], { namespaces: true }, "events");
    expect(events).toEqual([
      { type: "open", name: "a", depth: 0, attributes: { xmlns: "urn:a", b: "1" }, uri: "urn:a" },
      { type: "text", text: "x", depth: 1 },
      { type: "comment", text: "y", depth: 1 },
      { type: "open", name: "c", depth: 1, attributes: {}, uri: "urn:a" },
      { type: "close", name: "c", depth: 1 },
      { type: "instruction", target: "z", body: "w", depth: 1 },
      { type: "cdata", text: "v", depth: 1 },
      { type: "close", name: "a", depth: 0 },
    ]);
  });

  test("keeps the value of a truncated document with onTruncated: keep, as incomplete", () => {
    const parser = new XmlParser({ onTruncated: "keep" });
    parser.write("<a><b>1</b><c>2]");
    parser.end();
    parser.end();
    expect(parser.snapshot()).toEqual({ a: [{ b: "1" }, { c: "2]" }] });
    expect(parser.complete).toBe(false);
  });

  test("is complete after the end of the root", () => {
    const parser = new XmlParser();
    expect(parser.complete).toBe(false);
    parser.write("<a>1</a");
    expect(parser.complete).toBe(false);
    parser.write(">");
    expect(parser.complete).toBe(true);
  });
});
