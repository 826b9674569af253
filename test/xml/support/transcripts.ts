import type { XmlObject, XmlRepair, XmlParserOptions } from "millrace/xml";

export interface Transcript {
  readonly name: string;
  readonly input: string;
  readonly expect: XmlObject;
  readonly options?: XmlParserOptions;
  readonly repairs?: readonly XmlRepair[];
}

/** The expected value of a document. */
export const documents: readonly Transcript[] = [
  { name: "a text", input: "<a>Hi</a>", expect: { a: "Hi" } },
  { name: "an element without content, in both forms", input: "<a/>", expect: { a: "" } },
  { name: "an empty element", input: "<a></a >", expect: { a: "" } },
  { name: "the root", input: "<a><b/><c>1</c></a>", expect: { a: [{ b: "" }, { c: "1" }] } },
  {
    name: "children of the same name",
    input: "<a><b>1</b><b><c/></b><b><c/></b></a>",
    expect: { a: [{ b: "1" }, { b: [{ c: "" }] }, { b: [{ c: "" }] }] },
  },
  {
    name: "white space between children, which is left out",
    input: "<a>\n  <b> 1 </b>\n</a>\n",
    expect: { a: [{ b: " 1 " }] },
  },
  { name: "white space alone, which is a text", input: "<a> \n</a>", expect: { a: " \n" } },
  {
    name: "text beside children, with all of its white space",
    input: "<p>\nHi <b>a</b> <i>b</i>!\n</p>",
    expect: { p: ["\nHi ", { b: "a" }, " ", { i: "b" }, "!\n"] },
  },
  {
    name: "text after children",
    input: "<p> <b>a</b> <i>b</i> c <u/> </p>",
    expect: { p: [{ b: "a" }, { i: "b" }, " c ", { u: "" }, " "] },
  },
  {
    name: "a text with comments and instructions in it",
    input: "<a>x<!-- - > --><?y <b> ??>z</a>",
    expect: { a: "xz" },
  },
  {
    name: "attributes",
    input: `<a id="1" b:c='"'>Hi</a>`,
    expect: { a: [{ "@id": "1" }, { "@b:c": '"' }, "Hi"] },
  },
  {
    name: "attributes of elements without content",
    input: `<a><b c=">"/><d e='/' /></a>`,
    expect: { a: [{ b: [{ "@c": ">" }] }, { d: [{ "@e": "/" }] }] },
  },
  {
    name: "attributes and white space",
    input: `<a b="c"> </a>`,
    expect: { a: [{ "@b": "c" }, " "] },
  },
  {
    name: "omitted attributes",
    input: `<a b="c">d</a>`,
    expect: { a: "d" },
    options: { attributes: false },
  },
  {
    name: "line breaks in an attribute as spaces",
    input: `<a b="c\r\nd\te&#10;f"/>`,
    expect: { a: [{ "@b": "c d e\nf" }] },
  },
  {
    name: "sections",
    input: "<a>1<![CDATA[<b>&amp;]]]>2<![CDATA[]]></a>",
    expect: { a: "1<b>&amp;]2" },
  },
  { name: "white space in a section", input: "<a><![CDATA[ ]]><b/></a>", expect: { a: [" ", { b: "" }] } },
  {
    name: "references",
    input: "<a>&lt;&#x1F600;&#38;amp;&gt;&apos;</a>",
    expect: { a: "<\u{1f600}&amp;>'" },
  },
  {
    name: "line breaks of all kinds",
    input: "<a>1\r\n2\r3\n\r\n4</a>",
    expect: { a: "1\n2\n3\n\n4" },
  },
  { name: "surrogate pairs", input: "<ä>😀\u{10ffff}</ä>", expect: { ä: "😀\u{10ffff}" } },
  { name: "brackets", input: "<a>[x]] > ]]</a>", expect: { a: "[x]] > ]]" } },
  {
    name: "prefixes, as they are written",
    input: '<x:a xmlns:x="urn:x"><x:b/></x:a>',
    expect: { "x:a": [{ "@xmlns:x": "urn:x" }, { "x:b": "" }] },
    options: { namespaces: true },
  },
  {
    name: "a declaration, a document type, comments and instructions around the root",
    input:
      '\ufeff<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "<x>]>"> <!-- \' ]> --> <?p "?> ]>\n<!-- --><?x?><a>1</a><!-- --><?y z?>\n',
    expect: { a: "1" },
  },
  {
    name: "names such as __proto__",
    input: "<__proto__ constructor='x'><toString>1</toString><__proto__/></__proto__>",
    expect: {
      ["__proto__"]: [{ "@constructor": "x" }, { toString: "1" }, { ["__proto__"]: "" }],
    },
  },
];

const lenient: XmlParserOptions = { extract: "auto", repair: true };

/** Texts of models. */
export const outputs: readonly Transcript[] = [
  { name: "prose around it", input: "Sure: <a>1</a> Enjoy.", expect: { a: "1" }, options: lenient },
  { name: "a fence", input: "```xml\n<a>1</a>\n```", expect: { a: "1" }, options: lenient },
  { name: "a fence on its line", input: "```<a>1</a>```", expect: { a: "1" }, options: lenient },
  {
    name: "a fence in a text",
    input: "```xml\n<a>```js\nx\n```</a>\n```\nok",
    expect: { a: "```js\nx\n```" },
    options: lenient,
  },
  {
    name: "thinking before it",
    input: "<think>an <a> or <b>?</think>\n<a>1</a>",
    expect: { a: "1" },
    options: lenient,
  },
  {
    name: "thinking in other letters",
    input: "<Thinking>{<a>\n</Thinking ><a>1</a>",
    expect: { a: "1" },
    options: lenient,
  },
  ...[
    "[THINK]an <a>?[/THINK]",
    "◁think▷an <a>?\n◁/think▷",
    "<|channel|>analysis<|message|>an <a>?<|end|><|start|>assistant<|channel|>final<|message|>",
    "<seed:think>an <a>?</seed:think >",
    "<|channel>thought\nan <a>?<channel|>",
    "<think>`</think>` ends it. An <a>?</think>",
    "<think>split('</think'), split('</think>')\n<a>?\n[THINK]</think>",
  ].map((thinking) => ({
    name: `the thinking ${thinking}`,
    input: `Hm. ${thinking} <a>1</a>`,
    expect: { a: "1" },
    options: lenient,
  })),
  {
    name: "a draft in an element of thinking that is not the root",
    input: "<analysis><a>0</a></analysis><a>1</a>",
    expect: { a: "1" },
    options: { ...lenient, root: "a" },
  },
  {
    name: "a draft in an element of thinking that begins with text",
    input: "<reasoning>Maybe <a>0</a>.</reasoning>\n<a>1</a>",
    expect: { a: "1" },
    options: lenient,
  },
  ...[
    "cat <<END > f.txt\nx\nEND",
    "sed -E 's/(?<y>[0-9]+)/y/'",
    "re.match('(?P<year>[0-9]+)')",
    "std::cout <<x>> y",
    "\n<first name>\nHello\n",
  ].map((text) => ({
    name: `text with what looks like a tag: ${text}`,
    input: `<b>${text}</b>`,
    expect: { b: text },
    options: lenient,
    repairs: Array.from(text.matchAll(/</g), ({ index }) => ({
      kind: "less_than" as const,
      offset: index + 3,
    })),
  })),
  {
    name: "a root that another text might think in",
    input: "<analysis><a>0</a></analysis>",
    expect: { analysis: [{ a: "0" }] },
    options: lenient,
  },
  {
    name: "a link that looks like thinking",
    input: "As [think] and '[THINK]' say: <a>1</a>",
    expect: { a: "1" },
    options: lenient,
  },
  {
    name: "text that looks like thinking, with a tag of that name",
    input: "<think>1</think>",
    expect: { think: "1" },
    options: { ...lenient, root: "think" },
  },
  {
    name: "a tag named in the prose",
    input: "The `<a>` tag, or \"<b c='d'>\": <c>1</c>",
    expect: { c: "1" },
    options: lenient,
  },
  {
    name: "a document in backticks",
    input: "`<a>1</a>`",
    expect: { a: "1" },
    options: lenient,
  },
  {
    name: "tags before the root",
    input: "<b>Note</b> <a><b>1</b></a>",
    expect: { a: [{ b: "1" }] },
    options: { ...lenient, root: ["x", "a"] },
  },
  {
    name: "less-than signs, arrows and braces in the prose",
    input: "if x <y and z < 3 <- {<5} </p> <a>1</a>",
    expect: { a: "1" },
    options: lenient,
  },
  {
    name: "a declaration and a document type",
    input: '<?xml version="1.0"?>\n<!DOCTYPE b [<!ENTITY c "<d>">]><!-- <e> --><a>1</a>',
    expect: { a: "1" },
    options: lenient,
  },
  {
    name: "two fences",
    input: "```\n<a>1</a>\n```\n```xml\n<b>2</b>\n```\n<c/>",
    expect: { a: "1" },
    options: lenient,
    repairs: [{ kind: "extra_document", offset: 24 }],
  },
  {
    name: "R&D",
    input: "<a>R&D, AT&T; &nbsp;&amp;&#0;&</a>",
    expect: { a: "R&D, AT&T; &nbsp;&&#0;&" },
    options: lenient,
    repairs: [4, 10, 14, 25, 29].map((offset) => ({ kind: "ampersand", offset })),
  },
  {
    name: "a < b",
    input: "<a>a < b, i<n; <= x<y then </ <! <? <</a>",
    expect: { a: "a < b, i<n; <= x<y then </ <! <? <" },
    options: lenient,
    repairs: [5, 11, 15, 19, 27, 30, 33, 36].map((offset) => ({ kind: "less_than", offset })),
  },
  {
    name: "an address in an attribute",
    input: `<a b="?c=1&d=2" e='x<y'>f</a>`,
    expect: { a: [{ "@b": "?c=1&d=2" }, { "@e": "x<y" }, "f"] },
    options: lenient,
    repairs: [
      { kind: "ampersand", offset: 10 },
      { kind: "less_than", offset: 20 },
    ],
  },
  {
    name: "the end of a section in a text",
    input: "<a>b[c[0]]>d]]]></a>",
    expect: { a: "b[c[0]]>d]]]>" },
    options: lenient,
    repairs: [
      { kind: "section_end", offset: 8 },
      { kind: "section_end", offset: 13 },
    ],
  },
  {
    name: "line breaks of HTML",
    input: '<p>a<br>b<BR/><hr class="x"><img src=a.png>c<br></br></p>',
    expect: {
      p: [
        "a",
        { br: "" },
        "b",
        { BR: "" },
        { hr: [{ "@class": "x" }] },
        { img: [{ "@src": "a.png" }] },
        "c",
        { br: "" },
      ],
    },
    options: lenient,
    repairs: [
      { kind: "void_element", offset: 4 },
      { kind: "void_element", offset: 14 },
      { kind: "unquoted_attribute", offset: 37 },
      { kind: "void_element", offset: 28 },
      { kind: "void_element", offset: 44 },
      { kind: "extra_end_tag", offset: 48 },
    ],
  },
  {
    name: "an <img> with content, as in XML",
    input: "<a><img>a.png</img></a>",
    expect: { a: [{ img: "a.png" }] },
    options: lenient,
  },
  {
    name: "inner elements without end tags",
    input: "<a>\n<b>1</b>\n<c>2\n</a>",
    expect: { a: [{ b: "1" }, { c: "2\n" }] },
    options: lenient,
    repairs: [{ kind: "missing_end_tag", offset: 18 }],
  },
  {
    name: "several open elements",
    input: '<a><b><c id="1">2</a>',
    expect: { a: [{ b: [{ c: [{ "@id": "1" }, "2"] }] }] },
    options: lenient,
    repairs: [
      { kind: "missing_end_tag", offset: 17 },
      { kind: "missing_end_tag", offset: 17 },
    ],
  },
  {
    name: "an unclosed element in a text",
    input: "<p>This is <b>bold</p>",
    expect: { p: ["This is ", { b: "bold" }] },
    options: lenient,
    repairs: [{ kind: "missing_end_tag", offset: 18 }],
  },
  {
    name: "end tags in other letters",
    input: "<answer><Name>Ada</name></Answer>",
    expect: { answer: [{ Name: "Ada" }] },
    options: lenient,
    repairs: [
      { kind: "end_tag_name", offset: 17 },
      { kind: "end_tag_name", offset: 24 },
    ],
  },
  {
    name: "end tags in other letters that are right by their own",
    input: "<a><A>1</A></a>",
    expect: { a: [{ A: "1" }] },
    options: lenient,
  },
  {
    name: "attributes without quotes",
    input: "<a id=1 b = x&y c=/d ><e f=g/h/></a>",
    expect: { a: [{ "@id": "1" }, { "@b": "x&y" }, { "@c": "/d" }, { e: [{ "@f": "g/h" }] }] },
    options: lenient,
    repairs: [
      { kind: "unquoted_attribute", offset: 6 },
      { kind: "unquoted_attribute", offset: 12 },
      { kind: "ampersand", offset: 13 },
      { kind: "unquoted_attribute", offset: 18 },
      { kind: "unquoted_attribute", offset: 27 },
    ],
  },
  {
    name: "names with characters of two halves in tags that are repaired",
    input: "<😀 b=1 𠀀/>",
    expect: { "😀": [{ "@b": "1" }, { "@𠀀": "" }] },
    options: lenient,
    repairs: [
      { kind: "unquoted_attribute", offset: 6 },
      { kind: "missing_attribute_value", offset: 10 },
    ],
  },
  {
    name: "attributes without values",
    input: "<a disabled><b checked  c='1' d/><e f= ></e></a>",
    expect: {
      a: [
        { "@disabled": "" },
        { b: [{ "@checked": "" }, { "@c": "1" }, { "@d": "" }] },
        { e: [{ "@f": "" }] },
      ],
    },
    options: lenient,
    repairs: [
      { kind: "missing_attribute_value", offset: 11 },
      { kind: "missing_attribute_value", offset: 24 },
      { kind: "missing_attribute_value", offset: 31 },
      { kind: "unquoted_attribute", offset: 39 },
    ],
  },
  {
    name: "an attribute without a value before one without quotes",
    input: "<a checked id=1><b c d=e></b>x <y and z=3 </a>",
    expect: {
      a: [{ "@checked": "" }, { "@id": "1" }, { b: [{ "@c": "" }, { "@d": "e" }] }, "x <y and z=3 "],
    },
    options: lenient,
    repairs: [
      { kind: "missing_attribute_value", offset: 11 },
      { kind: "unquoted_attribute", offset: 14 },
      { kind: "missing_attribute_value", offset: 21 },
      { kind: "unquoted_attribute", offset: 23 },
      { kind: "less_than", offset: 31 },
    ],
  },
  {
    name: "types of programming languages",
    input: "<a>Use List<String>, Map<K, V> or f<T>(x) here.</a>",
    expect: { a: "Use List<String>, Map<K, V> or f<T>(x) here." },
    options: lenient,
    repairs: [11, 24, 35].map((offset) => ({ kind: "less_than", offset })),
  },
  {
    name: "comparisons that look like tags with attributes",
    input: "<a>if x <y and z> 2</a>",
    expect: { a: "if x <y and z> 2" },
    options: lenient,
    repairs: [{ kind: "less_than", offset: 8 }],
  },
  {
    name: "tags after a word",
    input: "<p>H<two>2</two>O, Ada<Name>x</name><hr></p>",
    expect: { p: ["H", { two: "2" }, "O, Ada", { Name: "x" }, { hr: "" }] },
    options: lenient,
    repairs: [
      { kind: "end_tag_name", offset: 29 },
      { kind: "void_element", offset: 36 },
    ],
  },
  {
    name: "items without end tags",
    input: "<ul><li>one<li>two</li><li>three</ul>",
    expect: { ul: [{ li: "one" }, { li: "two" }, { li: "three" }] },
    options: lenient,
    repairs: [
      { kind: "missing_end_tag", offset: 11 },
      { kind: "missing_end_tag", offset: 32 },
    ],
  },
  {
    name: "items in items",
    input: "<ul><li>one<li>two</li></li></ul>",
    expect: { ul: [{ li: ["one", { li: "two" }] }] },
    options: lenient,
    repairs: [],
  },
  {
    name: "records without end tags",
    input: "<a><step>one<step>two</step></a>",
    expect: { a: [{ step: "one" }, { step: "two" }] },
    options: lenient,
    repairs: [{ kind: "missing_end_tag", offset: 12 }],
  },
  {
    name: "a table without end tags",
    input: "<table><tr><th>1<td>2<tr><td>3</table>",
    expect: { table: [{ tr: [{ th: "1" }, { td: "2" }] }, { tr: [{ td: "3" }] }] },
    options: lenient,
    repairs: [
      { kind: "missing_end_tag", offset: 16 },
      { kind: "missing_end_tag", offset: 21 },
      { kind: "missing_end_tag", offset: 21 },
      { kind: "missing_end_tag", offset: 30 },
      { kind: "missing_end_tag", offset: 30 },
    ],
  },
  {
    name: "empty paragraphs in a paragraph",
    input: "<p>one<p/>two</p>",
    expect: { p: ["one", { p: "" }, "two"] },
    options: lenient,
    repairs: [],
  },
  {
    name: "an unclosed paragraph with formatting",
    input: "<r><p>Use <b>this</b></r>",
    expect: { r: [{ p: ["Use ", { b: "this" }] }] },
    options: lenient,
    repairs: [{ kind: "missing_end_tag", offset: 21 }],
  },
  {
    name: "end tags in the wrong order",
    input: "<r><b><i>1</b></i>2</r>",
    expect: { r: [{ b: [{ i: "1" }] }, "2"] },
    options: lenient,
    repairs: [
      { kind: "missing_end_tag", offset: 10 },
      { kind: "extra_end_tag", offset: 14 },
    ],
  },
  {
    name: "end tags with spaces and attributes",
    input: "<r><a>1</ a><b>2< /b><c d>3</c d></r>",
    expect: { r: [{ a: "1" }, { b: "2" }, { c: [{ "@d": "" }, "3"] }] },
    options: lenient,
    repairs: [
      { kind: "end_tag_name", offset: 7 },
      { kind: "end_tag_name", offset: 16 },
      { kind: "missing_attribute_value", offset: 25 },
      { kind: "end_tag_name", offset: 27 },
    ],
  },
  {
    name: "placeholders in a text",
    input: "<r>cp <file> <to>, press <Enter> or x@<host>.</r>",
    expect: { r: "cp <file> <to>, press <Enter> or x@<host>." },
    options: lenient,
    repairs: [
      { kind: "less_than", offset: 6 },
      { kind: "less_than", offset: 13 },
      { kind: "less_than", offset: 25 },
      { kind: "less_than", offset: 38 },
    ],
  },
  {
    name: "two redirections and two keys",
    input: "<r>wc <a.txt >out and <Ctrl>+<C> x</r>",
    expect: { r: "wc <a.txt >out and <Ctrl>+<C> x" },
    options: lenient,
    repairs: [
      { kind: "less_than", offset: 6 },
      { kind: "less_than", offset: 22 },
      { kind: "less_than", offset: 29 },
    ],
  },
  {
    name: "a header of C",
    input: "<code>#include <stdio.h>\nint main() {}</code>",
    expect: { code: "#include <stdio.h>\nint main() {}" },
    options: lenient,
    repairs: [{ kind: "less_than", offset: 15 }],
  },
  {
    name: "an unclosed element with a value, in a text",
    input: "<r>It is <value>42</r>",
    expect: { r: ["It is ", { value: "42" }] },
    options: lenient,
    repairs: [{ kind: "missing_end_tag", offset: 18 }],
  },
  {
    name: "tags in quotes",
    input: "<r>`<div>` and '</p>' are tags</r>",
    expect: { r: "`<div>` and '</p>' are tags" },
    options: lenient,
    repairs: [
      { kind: "less_than", offset: 4 },
      { kind: "less_than", offset: 16 },
    ],
  },
  {
    name: "other empty elements of HTML",
    input: "<r><input type=text>1<source a='b'>2</source></r>",
    expect: { r: [{ input: [{ "@type": "text" }] }, "1", { source: [{ "@a": "b" }, "2"] }] },
    options: lenient,
    repairs: [
      { kind: "unquoted_attribute", offset: 15 },
      { kind: "void_element", offset: 3 },
    ],
  },
  {
    name: "addresses without quotes",
    input: "<r><a href=http://b.c/>d</a><e f=g/h/>i</r>",
    expect: { r: [{ a: [{ "@href": "http://b.c/" }, "d"] }, { e: [{ "@f": "g/h" }] }, "i"] },
    options: lenient,
    repairs: [
      { kind: "unquoted_attribute", offset: 11 },
      { kind: "unquoted_attribute", offset: 33 },
    ],
  },
  {
    name: "typographic quotes",
    input: '<r a=“b c” d=‘e"f’>1</r>',
    expect: { r: [{ "@a": "b c" }, { "@d": 'e"f' }, "1"] },
    options: lenient,
    repairs: [
      { kind: "unquoted_attribute", offset: 5 },
      { kind: "unquoted_attribute", offset: 13 },
    ],
  },
  {
    name: "quotes in quotes",
    input: '<r a="say "hi" now" b="1">2</r>',
    expect: { r: [{ "@a": 'say "hi" now' }, { "@b": "1" }, "2"] },
    options: lenient,
    repairs: [
      { kind: "attribute_quote", offset: 10 },
      { kind: "attribute_quote", offset: 13 },
    ],
  },
  {
    name: "attributes with a comma or nothing between them",
    input: '<r a="1"b="2", c="3" / >',
    expect: { r: [{ "@a": "1" }, { "@b": "2" }, { "@c": "3" }] },
    options: lenient,
    repairs: [
      { kind: "attribute_separator", offset: 7 },
      { kind: "attribute_separator", offset: 12 },
    ],
  },
  {
    name: "hyphens in comments",
    input: "<r>1<!-- 2 -- 3 --->4<!---5-->6</r>",
    expect: { r: "146" },
    options: lenient,
    repairs: [
      { kind: "comment_hyphen", offset: 12 },
      { kind: "comment_hyphen", offset: 17 },
    ],
  },
  {
    name: "control characters",
    input: "<r>1\u00072\u0000</r>",
    expect: { r: "1\ufffd2\ufffd" },
    options: lenient,
    repairs: [
      { kind: "control_character", offset: 4 },
      { kind: "control_character", offset: 6 },
    ],
  },
];
