import { type XmlParseError, XmlParser, type XmlParserOptions } from "millrace/xml";
import { DocumentFinder } from "#src/xml/scan/finder.js";
import { lookAhead } from "#src/xml/scan/markup.js";
import { XmlScanner } from "#src/xml/scan/scanner.js";
import { describe, expect, test, vi } from "vitest";

/** Input that has broken parsers. Each ends fast, in bounded memory, with its own error code. */
// G-parsers-11
describe("an XmlParser survives", () => {
  const lenient: XmlParserOptions = { extract: "auto", repair: true };

  test.each([{}, lenient])("50,000 levels, rejected at maxDepth", (options) => {
    const parser = new XmlParser(options);
    expect(() => {
      parser.write("<a>".repeat(50_000));
    }).toThrow(expect.objectContaining({ code: "max_depth", offset: 3_002 }));
  });

  test("50,000 levels, if they are allowed", () => {
    const parser = new XmlParser({ maxDepth: 50_000, onLeaf: () => {} });
    parser.write("<a>".repeat(50_000));
    parser.snapshot();
    parser.takePatch();
    parser.write("x" + "</a>".repeat(50_000));
    parser.end();
    const patch = parser.takePatch();
    expect(patch).toHaveLength(1);
    let depth = 0;
    for (let value: unknown = parser.snapshot(); typeof value === "object"; depth++) {
      const content = (value as { a: unknown }).a;
      value = Array.isArray(content) ? content[0] : content;
    }
    expect(depth).toBe(50_000);
  });

  test.each([
    ["elements", "<b/>"],
    ["texts", "<b>1</b>"],
  ])("many %s in 900 others, whose paths are refused when the text does not pay for them", (_, leaf) => {
    const text = "<a>".repeat(900) + leaf.repeat(100_000);
    const read = (size: number): unknown => {
      let levels = 0;
      const parser = new XmlParser({ onLeaf: () => (levels += 900) });
      try {
        for (let at = 0; at < text.length; at += size) parser.write(text.slice(at, at + size));
      } catch (error) {
        const { code, offset } = error as XmlParseError;
        expect(levels).toBeLessThanOrEqual(65_536 + 16 * offset + 900);
        return { code, offset, levels };
      }
      return "complete";
    };
    expect(read(Infinity)).toMatchObject({ code: "max_work" });
    for (const size of [1, 7, 64]) expect(read(size)).toEqual(read(Infinity));
    // Without increments, nothing is made for each leaf.
    new XmlParser().write(text);
  });

  test("many attributes in 900 elements", () => {
    let leaves = 0;
    const parser = new XmlParser({ onLeaf: () => leaves++ });
    const attributes = Array.from({ length: 20_000 }, (_, i) => `a${i}="1"`).join(" ");
    expect(() => {
      parser.write(`${"<a>".repeat(900)}<b ${attributes}/>`);
    }).toThrow(expect.objectContaining({ code: "max_work" }));
    expect(leaves).toBeLessThan(5_000);
  });

  test.each([{}, lenient])("an attribute of 10 MB, rejected at maxTagLength", (options) => {
    const parser = new XmlParser(options);
    parser.write('<a>\n<b c="');
    const chunk = "x".repeat(64 * 1024);
    let written = 0;
    expect(() => {
      for (; written < 160; written++) parser.write(chunk);
    }).toThrow(expect.objectContaining({ code: "max_tag_length", offset: 4 + 1024 * 1024 }));
    expect(written).toBe(15);
    expect(parser.snapshot()).toBeUndefined();
  });

  test("a comment with 200,000 hyphens, each of which ends a piece", () => {
    const parser = new XmlParser(lenient);
    parser.write(`<a><!--${"`-)#=".repeat(200_000)}-->1</a>`);
    parser.end();
    expect(parser.snapshot()).toEqual({ a: "1" });
  });

  test("300,000 spaces after an attribute, which may be the end of the tag", () => {
    const parser = new XmlParser(lenient);
    parser.write(`<a c=1 b="2"${" ".repeat(300_000)}d="3">4</a>`);
    parser.end();
    expect(parser.snapshot()).toEqual({ a: [{ "@c": "1" }, { "@b": "2" }, { "@d": "3" }, "4"] });
  });

  test.each(["\u00a0", "x", "x "])("200 characters %j after a quote, which may begin attributes", (text) => {
    const value = `1"${text.repeat(200 / text.length)}!2`;
    const whole = `<a b="${value}">3</a>`;
    for (const chunks of [[whole], whole]) {
      const parser = new XmlParser(lenient);
      for (const chunk of chunks) parser.write(chunk);
      parser.end();
      expect(parser.snapshot()).toEqual({ a: [{ "@b": value }, "3"] });
    }
  });

  test.each([
    ["a comment", "<a><!--"],
    ["an instruction", "<a><?b "],
    ["an end tag", "<a></"],
    ["a document type", "<!DOCTYPE a ["],
  ])("%s without an end", (_, start) => {
    const parser = new XmlParser({ maxTagLength: 1_000 });
    parser.write(start);
    expect(() => {
      parser.write("b".repeat(2_000));
    }).toThrow(expect.objectContaining({ code: "max_tag_length" }));
  });

  /**
   * The text that is read again with the next chunk is bounded, so a chunk does not cost as much as all before it. The
   * two longest cases show the same for the value: otherwise they would not end.
   */
  test.each([
    ["text", "<a>", "xxxx", 200_000],
    ["a section", "<a><![CDATA[", "xxxx", 200_000],
    ["brackets", "<a>", "]]]]"],
    ["brackets in a section", "<a><![CDATA[", "]]]]"],
    ["less-than signs", "<a>", "< <b"],
    ["ampersands", "<a>", "&am&"],
    ["digits of a reference", "<a>&#", "0000"],
    ["a name", "<a><b", "bbbb"],
    ["an attribute", '<a><b c="', "xx&a"],
    ["a comment", "<a><!--", "- - "],
    ["prose", "", "x <y"],
    ["backticks", "", "`<a>"],
    ["thinking", "<think>", "</ -"],
    ["a comment in the prose", "<!--", "----"],
    ["text after it", "<a/>", "`<b "],
    ["white space", "<a>", "    "],
    ["elements", "<a>", "<b/>"],
  ])("thousands of chunks of %s", (_, start, chunk, count = 20_000) => {
    const reads = [vi.spyOn(XmlScanner.prototype, "read"), vi.spyOn(DocumentFinder.prototype, "read")];
    const parser = new XmlParser({ ...lenient, append: true, onRepair: () => {} });
    parser.write(start);
    for (let i = 0; i < count; i++) {
      parser.write(chunk);
      if (i % 16 === 0) parser.takePatch();
    }
    const looked = reads.flatMap(({ mock }) => mock.calls).reduce((sum, [text]) => sum + text.length, 0);
    for (const read of reads) read.mockRestore();
    expect(parser.complete).toBe(start === "<a/>");
    expect(looked).toBeGreaterThan(count);
    expect(looked).toBeLessThan(count * (lookAhead + 2 * chunk.length));
  });

  test("names and entities such as __proto__", () => {
    const parser = new XmlParser({ ...lenient, namespaces: true });
    parser.write("<constructor toString='1'>&__proto__;&constructor;</constructor>");
    parser.end();
    expect(parser.snapshot()).toEqual({ constructor: [{ "@toString": "1" }, "&__proto__;&constructor;"] });
  });
});
