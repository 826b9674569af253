import { everyWay } from "millrace/testing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Extractor } from "#src/find/extract/extractor.js";
import type { Found } from "#src/json/extraction.js";
import { jsonText } from "../../json/support/arbitraries.js";
import { runs } from "../../json/support/runs.js";

/** The text of a model. ▸ marks the start of the document, if there is one. */
interface Transcript {
  readonly name: string;
  readonly text: string;
}

const code = "```";

describe("in texts of models", () => {
  test.each<Transcript>([
    // Nothing around it
    { name: "an object alone", text: '▸{"a": 1}' },
    { name: "an object over several lines", text: '▸{\n  "name": "Ada",\n  "age": 36\n}\n' },
    { name: "white space before it", text: ' \r\n\t▸{"a": 1}' },
    { name: "a byte order mark before it", text: "\uFEFF▸{}" },
    { name: "an empty object", text: "▸{}" },
    { name: "an empty object with white space in it", text: "▸{ \n }\n" },
    { name: "an empty array", text: "▸[]" },
    { name: "an array of objects", text: '▸[{"id": 1}, {"id": 2}]' },
    { name: "an array of objects over several lines", text: '▸[\n  {\n    "id": 1\n  }\n]' },
    { name: "an array of strings", text: '▸["red", "green"]' },
    { name: "an array of one string", text: '▸["red"]' },
    { name: "an array in an array, and prose", text: "▸[[1]]\nThat is all." },
    { name: "an escaped space in a key", text: 'So ▸{"a\\ b": 1}' },
    { name: "no document in a citation with a space", text: "[1 ] Smith" },
    { name: "no document after a tag that begins as one of thinking", text: "So </thinkings>42" },
    { name: "no document in what is indexed again", text: 'So x ["a"][1] it is' },
    { name: "no document in a string in brackets and a colon", text: 'So ["a"]: it is' },
    {
      name: "no document in a string in braces that ends with the look-ahead",
      text: `So {"${"k".repeat(252)}"y`,
    },
    { name: "an array of numbers", text: "▸[1, 2.5, -3e2]" },
    { name: "an array of numbers over several lines", text: "▸[\n  1,\n  2\n]" },
    { name: "an array of one number", text: "▸[ 42 ]  \r\n" },
    { name: "an array of one negative number", text: "▸[-0.5E+3]" },
    { name: "an array of a literal", text: "▸[null]" },
    { name: "a matrix", text: "▸[[1, 0], [0, 1]]" },
    { name: "an array of an empty array", text: "▸[[]]" },
    { name: "arrays of empty arrays", text: "▸[[ ], []]" },
    { name: "an array of an empty object", text: "▸[{}]" },
    { name: "empty keys, and escapes in keys", text: '▸{"": 1, "a\\"b": 2}' },
    { name: "a key with an escaped quote", text: '▸{"say \\"hi\\": {": 1}' },
    { name: "a key that is longer than the look-ahead", text: `▸{"${"k".repeat(300)}": 1}` },
    { name: "white space that is longer than the look-ahead", text: `▸[${" ".repeat(300)}1]` },
    { name: "a number that is longer than the look-ahead", text: `▸[${"7".repeat(300)}]` },

    // Prose
    { name: "prose before it", text: 'Here is the JSON you asked for:\n\n▸{"a": 1}' },
    { name: "prose before it on the line", text: 'Sure! ▸{"a": 1} Anything else?' },
    { name: "prose after it", text: '▸{"a": 1}\n\nLet me know if {this} works!' },
    { name: "an array after prose on the line", text: 'The colours: ▸["red", "green"]' },
    { name: "an array of objects after prose on the line", text: 'Result: ▸[ {"id": 1} ]' },
    { name: "nested arrays after prose on the line", text: 'Table: ▸[[ "a", 1 ]]' },
    { name: "an array of an empty object after prose", text: "Result: ▸[ { } , 1]" },
    { name: "an array directly after Chinese prose", text: '结果是▸["a","b"]' },
    { name: "an object directly after a word", text: 'json▸{"a":1}' },
    { name: "a long string in an array after prose", text: `Story: ▸["${"Once upon a time ".repeat(30)}"]` },
    { name: "LaTeX around it", text: '\\boxed{▸{"answer": 42}}' },
    { name: "a name in braces before it", text: 'As {name} said: ▸{"a": 1}' },
    { name: "a quoted word in braces before it", text: 'The set {"a", "b"} is ▸{"size": 2}' },
    { name: "a citation before it", text: '[1] Smith et al.\n[2]: https://x.example\n▸{"a": 1}' },
    { name: "a citation alone on its line, but for a full stop", text: '[1].\n▸{"a": 1}' },
    { name: "a task list before it", text: '- [ ] think\n- [x] write\n[ ] or\n[x] done\n▸{"a": 1}' },
    { name: "links before it", text: '[docs](https://x.example) ["quoted"](u) [[wiki]]\n▸["a"]' },
    { name: "a numbered link before it", text: '[[1]](https://x.example) says so.\n▸{"a": 1}' },
    { name: "a date in brackets before it", text: "[2024-01-31] done\n[12:30:05]\n[0x1F]\n▸[1]" },
    { name: "an index before it", text: 'Read row["id"] and f()["x"], df[["a"]], m[0]["b"]:\n▸{"a": 1}' },
    { name: "a fraction before it", text: 'So \\frac{a}{b} is the result: ▸{"a": 1}' },
    { name: "a smaller sign before it", text: 'As 1 < 2 and a<b, ▸{"a": 1}' },
    { name: "a smaller sign right before it", text: 'a <▸{"a": 1}>' },
    { name: "a quote that is left open in braces", text: '{"left open\n▸{"a": 1}' },
    { name: "an escape before a line end in braces", text: '{"left open\\\n▸{"a": 1}' },
    { name: "an array that opens the second line of a candidate", text: "x [\n▸[1, 2]" },
    { name: "an object on the third line of a candidate", text: 'x [ [\n [\n {} ▸{"a": 1}' },
    { name: "empty braces in a line", text: 'A {} and a [] walk into a bar: ▸{"a": 1}' },
    { name: "empty braces at the start of a line", text: '{} is empty.\n[] too, [{} as well.\n▸{"a": 1}' },
    { name: "an array of empty arrays in a line", text: 'Like [[]] and [[], []].\n▸{"a": 1}' },
    { name: "numbers in a line", text: 'In [1, 2] and [3]\nwe show ▸{"a": 1}' },
    { name: "an object in a bracket of prose", text: 'As [see {above}, or ▸[{"a": 1}]' },
    { name: "a document directly after a candidate", text: 'x {▸{"a": 1}}' },
    { name: "an object deep in arrays after prose", text: 'x ▸[ [ [ [{"a": 1}]]]]' },
    { name: "a bullet before it", text: '- ▸{"a": 1}\n- {"a": 2}' },
    { name: "an assignment", text: 'const data = ▸{"a": 1};' },

    // Fences
    { name: "a fence", text: `${code}\n▸{"a": 1}\n${code}` },
    { name: "a fence with an info string", text: `${code}json\n▸{"a": 1}\n${code}\n` },
    { name: "a fence with a long info string", text: `~~~~json title="a {b}.json"\n▸[1, 2]\n~~~~` },
    { name: "a fence after prose", text: `Here you go:\n\n${code}json5\n▸[1]\n${code}\nDone.` },
    { name: "a fence in a list", text: `1. First\n   ${code}json\n   ▸[\n     true\n   ]\n   ${code}` },
    { name: "a fence in one line", text: `${code}json ▸{"a":1}${code}` },
    { name: "an array of numbers in a fence in one line", text: `${code}json ▸[1]${code}` },
    { name: "an empty object in a fence in one line", text: `${code}▸{}${code}` },
    { name: "an array directly after the info string", text: `${code}json▸["a"]${code}` },
    { name: "an array after a fence in one line, with a space", text: `~~~ ▸[ ] ${code}` },
    {
      name: "another fence before it",
      text: `${code}bash\nnpm i && echo \${x}\n${code}\n${code}\n▸[7]\n${code}`,
    },
    { name: "the braces of R Markdown", text: `${code}{r, echo=FALSE}\nx <- 1\n${code}\n▸{"a": 1}` },
    { name: "inline code", text: 'The answer is `▸{"a": 1}`.' },
    { name: "inline code that opens a line", text: '`{}` and `[1]`\n``[1]``\n``[1, 2]``\n▸{"a": 1}' },
    { name: "backticks and a space", text: '` [1, 2]\n` ``[1, 2]\n▸{"a": 1}' },
    { name: "braces with a backtick after", text: "{} `x`\n[1]`` x\n▸[2]" },

    // Thinking, and other tags
    { name: "thinking before it", text: '<think>Maybe {"b": 2}?\n</think>\n\n▸{"a": 1}' },
    {
      name: "its end in quotes in it",
      text: '<think>`</think>`, "</think>": {"b": 2}? "x"</think>▸{"a": 1}',
    },
    { name: "a quote before its end", text: '<think>{"b": 2}? "</think>▸{"a": 1}' },
    { name: "thinking in other letters", text: '<THINKING>{"b": 2} </think> </Thinking >▸[1]' },
    { name: "thinking with attributes", text: '<think about="a" deep>{"b": 2}</think> ▸[1, 2]' },
    { name: "thinking after prose", text: 'Well. <think>[{"b": 2}]</think>▸[ 1 ]' },
    { name: "a thought", text: '<thought>{"b": 2}</thought>▸{"a": 1}' },
    { name: "reasoning", text: '<Reasoning>\n{"b": 2}\n</reasoning>\n▸{"a": 1}' },
    { name: "an analysis", text: '<analysis>{"b": 2}</thought></analysis>▸[1, 2]' },
    { name: "a scratchpad", text: '<scratchpad>{"b": 2}</scratchpad>▸{"a": 1}' },
    { name: "a reflection", text: '<reflection>{"b": 2}</reflection>▸{"a": 1}' },
    { name: "thinking of Seed", text: '<seed:think>{"b": 2}</seed:think>▸{"a": 1}' },
    { name: "another name with a colon", text: '<seed:thing>▸{"a": 1}</seed:thing>' },
    { name: "thinking of Magistral", text: '[THINK]{"b": 2}\n[/THINK]▸{"a": 1}' },
    { name: "thinking of Magistral after prose", text: 'Well[THINK]["b"][/THINK] ▸[1, 2]' },
    { name: "thinking of Kimi", text: '◁think▷{"b": 2}◁/think▷▸{"a": 1}' },
    { name: "thinking of Gemma", text: '<|channel>thought\n{"b": 2}<channel|>▸{"a": 1}' },
    { name: "thinking of MedGemma", text: '<unused94>thought\n{"b": 2}<unused95>▸{"a": 1}' },
    { name: "thinking of Command", text: '<|START_THINKING|>{"b": 2}<|END_THINKING|>▸{"a": 1}' },
    {
      name: "thinking of gpt-oss",
      text: '<|channel|>analysis<|message|>{"b": 2}<|end|><|start|>assistant<|channel|>final<|message|>▸{"a": 1}',
    },
    { name: "a number after thinking of Magistral", text: "[THINK]Is it 42?[/THINK]\n▸42" },
    { name: "a number after thinking of Kimi", text: " ◁think▷Is it 42?◁/think▷ ▸42" },
    { name: "only the end of thinking of Magistral", text: "The user wants {x}.[/THINK]▸[1, 2]" },
    { name: "only the end of thinking of Command", text: "Is it [41]?<|END_THINKING|>▸42" },
    { name: "only the end of thinking of Kimi", text: "Is it 41?◁/think▷▸42" },
    { name: "an end of a turn that is none of thinking", text: 'Hi<|end|> ▸{"a": 1}' },
    { name: "tokens of thinking in quotes", text: '`[THINK]`, "◁think▷" and \'<|channel|>analysis\' ▸["a"]' },
    {
      name: "what is no token of thinking",
      text: '[think] [THIN] [THINKS] ◁think <|channel|>final ▸{"a": 1}',
    },
    { name: "a token of thinking that is cut", text: 'So [THINK ▸{"a": 1}' },
    { name: "thinking twice", text: '<think>{"b":1}</think>Hm.\n<think>{"b":2}</think>\n▸{}' },
    { name: "thinking that looks like its end", text: '<think></thin</ think></think</</think>▸{"a": 1}' },
    { name: "thinking whose end begins in another", text: '<think>{"b": 2}</th</think>▸{"a": 1}' },
    { name: "thinking whose end begins after another", text: '<think>{"b": 2}</think</think>▸{"a": 1}' },
    { name: "thinking that talks of itself", text: '<think>Write <think>{"b": 2}</think>▸{"a": 1}' },
    { name: "an empty thought", text: '<think/>▸{"a": 1}' },
    { name: "an empty thought with a space", text: "<think />▸[1]" },
    { name: "a tag that begins like thinking", text: '<thinker>▸{"a": 1}</thinker>' },
    { name: "a tag that ends like thinking", text: '<rethink>▸{"a": 1}' },
    { name: "a long tag", text: '<thinkingthinking>▸{"a": 1}' },
    { name: "thinking in quotes", text: 'Use `<think>`, "<think>" or \'<think>\': ▸{"a": 1}' },
    { name: "a tag that never ends", text: '<think about it\n▸{"a": 1}' },
    { name: "a tag with an object in it", text: '<think ▸{"a": 1}>' },
    { name: "a tag with an array in it", text: '<think ▸["a"]>' },
    { name: "a tag with a tag in it", text: '<a <think>{"b": 2}</think>▸[1]' },
    { name: "only the end of thinking", text: 'The user wants {x}.\n</think>▸{"a": 1}' },
    { name: "numbers after the end of thinking", text: "The user wants numbers.</think> ▸[1, 2]" },
    { name: "a tag around it", text: '<answer>▸{"a": 1}</answer>' },
    { name: "a tag around numbers", text: "<answer>▸[42]</answer>" },
    { name: "a tag around nothing", text: '<out lang="json"> ▸{} </out>' },
    { name: "a tag after it that opens", text: '<a>[42]<b>\n▸{"a": 1}' },
    { name: "an index in a tag that never ends", text: 'a <b["a"] ▸["c"]' },
    { name: "empty angle brackets", text: 'a <> b ▸{"a": 1}' },
    { name: "empty angle brackets that open a line", text: '<>[1]\n▸{"a": 1}' },
    { name: "a tool call", text: '<tool_call>\n▸{"name": "f", "arguments": {}}\n</tool_call>' },

    // The text ends
    { name: "an object that is cut in its key", text: 'Sure: ▸{"na' },
    { name: "an object that is cut after its key", text: 'Sure: ▸{"name" ' },
    { name: "an object that is cut at once", text: "Sure:\n▸{" },
    { name: "an array that is cut at once", text: "Sure:\n▸[ " },
    { name: "an array that is cut in its string", text: 'Sure: ▸["na' },
    { name: "an array of one string, after prose", text: 'Sure: ▸["name"]' },
    { name: "an array that is cut in a literal", text: "▸[tru" },
    { name: "an array that is cut in a number", text: "▸[1.5e" },
    { name: "an array of a number at the end", text: "▸[1.5]" },
    { name: "nested arrays that are cut", text: "▸[[1]" },
    { name: "an array whose fence is cut", text: `${code}json ▸[1]${code.slice(1)}` },
    { name: "empty braces on the last line, after a candidate", text: "As in [\n▸{}\n" },
    { name: "empty braces that prose ends with", text: "The template is {" },
    { name: "an empty array that prose ends with", text: "The default is [ [" },
    { name: "a word in brackets that is cut", text: "[note" },
    { name: "a number in brackets that is cut, in a line", text: "As in [1" },
    { name: "brackets around empty braces, in a line", text: "As in [{}" },

    // No document
    { name: "nothing", text: "" },
    { name: "white space", text: " \n" },
    { name: "prose", text: "I am sorry, I cannot help with that." },
    { name: "prose with all kinds of brackets", text: "A {b}, a [c], a <d> and an {e: f}; [g](h), {{i}}." },
    { name: "a token of thinking at the end", text: "So [THINK" },
    { name: "thinking of Magistral that does not end", text: '[THINK]{"a": 1}' },
    { name: "thinking that does not end", text: 'Well <think>{"a": 1} \n {"b": 2}' },
    { name: "a word of JavaScript in brackets", text: "[nul] [truely] [nulls]\n[truer, falser]\n[01, 2]" },
    { name: "signs in brackets", text: "[-] [.5] [e5]\n[e5, 1]\n[-, 1]" },

    // Scalars
    { name: "a number alone", text: "▸42" },
    { name: "a number with white space around it", text: "\n ▸-1.5e3 \n" },
    { name: "a literal", text: "▸true" },
    { name: "another literal", text: " ▸null\n" },
    { name: "a string", text: '▸"Paris, {France} [sic]"' },
    { name: "a string with escapes", text: '▸"say \\"hi\\""' },
    { name: "a string that ends as an object begins", text: '▸"the key of {"' },
    { name: "a string that ends as an array begins", text: ' ▸"a list, ["' },
    { name: "a string in a fence", text: `\n${code}json\n▸"text"\n${code}\n` },
    { name: "a number in tildes", text: "~~~\n\n▸42\n~~~" },
    { name: "a number in a fence that is cut", text: `${code}json\n▸42` },
    { name: "a number in a fence in one line", text: `${code}▸42${code}` },
    { name: "a number in a fence in one line with an info string", text: `${code}json ▸42 ${code}` },
    { name: "a number in inline code", text: " `▸42`" },
    { name: "a number after thinking", text: "<think>Is it 42?\n</think>\n\n ▸42\n" },
    { name: "a number between thoughts", text: "<think>a</think>\n<think>b</think>▸42" },
    { name: "a number after long thinking", text: `<think>${"hm ".repeat(200)}</think>▸42` },
    { name: "a number after the end of thinking", text: "Is it 41?\nNo.</think>\n▸42" },
    { name: "a number after thinking in capitals", text: "<THINK>a</Think >▸42" },
    {
      name: "a number after an end of thinking that a word is glued to",
      text: "<think>a</thinker></think x></think\t>▸42",
    },
    { name: "a number after a tag with a long name that begins as thinking", text: "<thinkings>42" },
    { name: "a number after a closing tag with a name of its own", text: "</b>42" },
    { name: "a number after a tag in which a slash stands", text: "<thi/nk>42" },
    { name: "a number after a tag whose name has a sign before it", text: "<!think>42</think" },
    { name: "an object after a bracket that waited for its end", text: '[t▸{"a":1}' },
    { name: "a number after a bracket that waited for its end, and thinking", text: "[t</think>▸42" },
    { name: "a number after a tag that ends as thinking", text: "<xthink>42" },
    { name: "a number in thinking that ends with another word", text: "<think>a</thinker>42" },
    { name: "a number in thinking that ends without its bracket", text: "<think>a/think>42" },
    { name: "a number in brackets after a sign that begins no tag", text: "< x>[1]" },
    { name: "a number and an exclamation mark", text: "42!" },
    { name: "a number with prose before it", text: "The answer: 42" },
    { name: "a number with prose before thinking", text: "Wait. <think>x</think>42" },
    { name: "a number with a tag before it", text: "<b><think>x</think>42" },
    { name: "a number with a tag that never ends before it", text: "<b\n<think>x</think>42" },
    { name: "a number with braces before it", text: "{x}<think>x</think>42" },
    { name: "a number with a fence before it", text: `${code}\n<think>x</think>42` },
    { name: "a number that is none", text: "0123" },
    { name: "a number and the fence that closes", text: `42\n${code}` },
    { name: "two numbers", text: "1 2" },
    { name: "two strings", text: '"yes" or "no"' },
    { name: "a string that is cut", text: '"Paris' },
    { name: "a quote", text: '"' },
    { name: "a fence around nothing", text: `${code}json\n${code}` },
    { name: "a fence around an info string", text: `${code}\n` },
    { name: "a number with prose on the line of the fence", text: `${code}json and 42${code}` },
  ])("$name", ({ text }) => {
    expectEveryWay(text, false);
    expectEveryWay(text, true);
  });

  test.each<Transcript>([
    { name: "keys in single quotes", text: "▸{'a': 1}" },
    { name: "keys in single quotes after prose", text: "Here: ▸{'a': 1}" },
    { name: "keys in smart quotes", text: "▸{“a”: 1}" },
    { name: "keys in smart single quotes", text: "▸{ ‘a’ : 1}" },
    { name: "keys in German quotes", text: "▸{„a“: 1}" },
    { name: "a smart quote that a straight one closes", text: '▸{“a": 1}' },
    { name: "a smart single quote that a straight one closes", text: "▸{‘a': 1}" },
    { name: "keys in backticks", text: "▸{`a`: 1}" },
    { name: "unquoted keys", text: "▸{a: 1}" },
    { name: "unquoted keys over several lines", text: "Sure:\n  ▸{\n  first_name : 'Ada'\n}" },
    { name: "unquoted keys with all they may have", text: "▸{$a-b_1: 1}" },
    { name: "unquoted keys in another script", text: "▸{имя: 1}" },
    { name: "a number as a key", text: "▸{1: 'one'}" },
    { name: "unquoted keys in a fence", text: `${code}js\n▸{a: 1}\n${code}` },
    { name: "unquoted keys in a fence in one line", text: `${code}js ▸{a: 1}${code}` },
    { name: "unquoted keys in an array", text: "▸[{a: 1}]" },
    { name: "unquoted keys after a declaration", text: "const data = ▸{a: {b: 1}};" },
    { name: "unquoted keys after a declaration with a type", text: "So:\nexport let d: D[] = ▸[{a: 1}];" },
    { name: "numbers after a declaration", text: "  var xs = ▸[1, 2];" },
    { name: "an export", text: "export default ▸{a: 1};" },
    { name: "an assignment of Python", text: "result = ▸{a: True}" },
    { name: "an equation", text: 'x = [1, 2] and S = {a: 1}\nthen ▸{"a": 1}' },
    { name: "a long name before it", text: `const ${"a".repeat(99)} = {a: 1} ▸{"a": 1}` },
    { name: "a doubled opening", text: '▸{{"a": 1}}' },
    { name: "a doubled opening over two lines", text: "▸{\n{\n a: 1}}" },
    { name: "a doubled opening in a line with prose", text: 'Here: {▸{"a": 1}}' },
    { name: "an opening three times", text: '{{▸{"a": 1}' },
    { name: "a bracket before a fence", text: `{${code}json\n▸{"a": 1}\n${code}}` },
    { name: "a bracket before a fence in one line", text: `{ ${code}▸{"a": 1}${code} }` },
    { name: "a line comment", text: '▸{ // the name\n "a": 1}' },
    { name: "a line comment with no space", text: '▸{//\n"a": 1}' },
    { name: "a block comment", text: "▸{/* the * name **/a: 1}" },
    { name: "a comment of Python", text: "▸{ # the name\n 'a': 1}" },
    { name: "an empty comment of Python", text: "▸{#\n'a': 1}" },
    { name: "comments one after the other", text: "▸{ // a\n # b\n /* c */ 'a': 1}" },
    { name: "a comment in an array", text: "▸[ // the numbers\n 1, 2]" },
    { name: "a comment in an object in an array", text: "▸[{ // one\n a: 1}]" },
    { name: "a comment that is longer than the look-ahead", text: `▸{ // ${"long ".repeat(60)}\n a: 1}` },
    { name: "an array in single quotes", text: "▸['a', 'b']" },
    { name: "an array in single quotes after prose", text: "One of ▸['a']" },
    { name: "an array of literals of Python", text: "▸[True, None]" },
    { name: "an array of undefined", text: "▸[undefined]" },
    { name: "an array of no number", text: "▸[NaN, -Infinity]" },
    { name: "an array of infinity", text: "▸[-Infinity]" },
    { name: "an array of signed numbers", text: "▸[+1, 2]" },
    { name: "an array of numbers with dots", text: "▸[.5, 1.]" },
    { name: "an array of a number with a dot", text: "▸[1.]" },
    { name: "an array with the markers of a list", text: '▸[\n- {"a": 1},\n- {"a": 2}\n]' },
    { name: "an array with numbers of a list", text: '▸[1. {"a": 1}, 2. {"a": 2}]' },
    { name: "an array of numbers with a dot and a space", text: "▸[1. , 2]" },
    { name: "an object that is cut in an unquoted key", text: "▸{na" },
    { name: "an object that is cut in a comment", text: "▸{ // na" },
    { name: "a comment without a space", text: "▸{//x\na: 1}" },
    { name: "a comment with slashes in it", text: "▸[/* /x */ 1, 2]" },
    { name: "a comment with stars in it", text: "▸[/* * / x **/ 1, 2]" },
    { name: "a literal of Python", text: "▸None" },
    { name: "a number with a sign and a dot", text: "▸+.5" },
    { name: "no number", text: "▸-Infinity" },
    { name: "a number and a full stop", text: "▸42." },
    { name: "a string in single quotes", text: "▸'it is \\'so\\''" },
    { name: "a string in smart quotes", text: " ▸“Paris”\n" },
    { name: "a string over two lines", text: '▸"one\ntwo"' },
    { name: "a string with a wrong escape", text: '▸"C:\\Windows"' },
  ])("$name, if it will be repaired", ({ text }) => {
    expectEveryWay(text, true);
    const strict = text.replace(/{(\s*)▸{/, "{$1{");
    if (!text.includes('{"a"')) expectEveryWay(strict.replace("▸", ""), false);
  });

  test.each<Transcript>([
    { name: "unquoted keys in a line with prose", text: "The type {name: string} is {a:1}." },
    { name: "a word in braces", text: "{name} and {a b: c}\n{“a” is}\n{'a'}\n{a? b: c}" },
    { name: "words in dashes and dots", text: "{…: 1}\n{、: 1}" },
    { name: "words of templates", text: "{{name}}\n{{}}\n{#if a: b}\n{{#if user}}\n{{{x}}}\n{%- if -%}" },
    { name: "a comment of templates", text: '{# a: b #}\n▸{"a": 1}' },
    { name: "a percent sign of templates", text: "{% if a %}" },
    { name: "a doubled opening that closes on its line", text: "{{}\n}" },
    { name: "prose after a comment", text: "[/* a */ x\n[/**/ x\n[/***/ x" },
    { name: "slashes", text: '{/if}\n{/ * a: 1}\n[/path]\n▸{"a": 1}' },
    { name: "a comment of Markdown", text: '[//]: # (a comment)\n▸{"a": 1}' },
    { name: "the number of an issue", text: '[#12](https://x.example) fixes it\n▸{"a": 1}' },
    {
      name: "words in brackets",
      text: "[True enough]\n[Nones, x]\n[+] [.] [-.]\n['a'](b)\n['a' b]\n▸[None]",
    },
    { name: "two brackets after each other", text: "x['a'] f()['b'] \n▸['c']" },
    { name: "quotes around several words", text: "'yes' or 'no'" },
    { name: "quotes of different kinds", text: "“yes'" },
    { name: "a string in backticks", text: "`yes`" },
    { name: "a single quote", text: "'" },
    { name: "a word that ends as it begins", text: "that" },
    { name: "an escaped quote at the end", text: "'yes\\'" },
    { name: "a string in braces that a line end cuts", text: "As {x}\n{'a\n': 1}\n{'a\\\n': 1}" },
  ])("$name is not a document, even with repair", ({ text }) => {
    expectEveryWay(text, true);
  });
});

describe("a text that begins with a bracket, and does not look like a document", () => {
  test.each([
    "▸[a, b]",
    "▸{a}",
    "▸[1] Smith",
    "▸{} // done",
    " \n▸[...]",
    `${code}json\n▸{:}\n${code}`,
    `${code}▸[a]${code}`,
    "/* one */ // two\n# three\n▸[a]",
    "callback ( ▸{} );",
    "db.f(▸[])",
    "<think>{}</think>\n▸[x]",
  ])("%s is read at its end", (marked) => {
    const text = marked.replace("▸", "");
    for (const chunks of everyWay(text, { count: 20 })) {
      const extractor = new Extractor(true);
      for (const chunk of chunks) expect(extractor.find(chunk)).toBeUndefined();
      expect(extractor.end()).toEqual({ ...foundAt(text, marked.indexOf("▸")), whole: true });
    }
  });

  test("is none without repair, and if it is longer than 64 KB", () => {
    const extractor = new Extractor(false);
    extractor.find("[a, b]");
    expect(extractor.end()).toBeUndefined();
    const long = new Extractor(true);
    long.find(`[a, b]${" x".repeat(32 * 1024)}`);
    expect(long.end()).toBeUndefined();
  });
});

describe("a document is available", () => {
  test.each([
    { name: "from the colon after its first key", text: 'Hi {"name":', lenient: false },
    { name: "from the comma after a string", text: 'Hi ["name",', lenient: false },
    { name: "from what follows an array of one string", text: 'Hi ["name"].', lenient: false },
    { name: "from the quote, if the array opens its line", text: 'Hi\n["', lenient: false },
    { name: "from the comma after a number", text: "Hi\n[12,", lenient: false },
    { name: "from the end of a line with an array of a number", text: "Hi\n[12]\n", lenient: false },
    { name: "from the end of a line with an empty object", text: "Hi\n{}\n", lenient: false },
    { name: "from the closing fence after an array", text: `${code}[12] ${code}`, lenient: false },
    { name: "from the closing tag after an array", text: "<a>[12]</", lenient: false },
    { name: "from the bracket after an empty object", text: "Hi [{}]", lenient: false },
    { name: "from the colon after an unquoted key", text: "Hi\n{name:", lenient: true },
    {
      name: "from its first 256 characters, if the key is long",
      text: `{"${"k".repeat(254)}`,
      lenient: false,
    },
  ])("$name", ({ text, lenient }) => {
    const extractor = new Extractor(lenient);
    for (const character of text.slice(0, -1)) expect(extractor.find(character)).toBeUndefined();
    expect(extractor.find(text.slice(-1))).toBeDefined();
  });

  test("with the text that was held back, and the rest of the chunk", () => {
    const extractor = new Extractor(false);
    expect(extractor.find('Hi\n\n  {"na')).toBeUndefined();
    expect(extractor.find("me")).toBeUndefined();
    expect(extractor.find('": "Ada"} and more')).toEqual({
      text: '{"name": "Ada"} and more',
      offset: 6,
      line: 3,
      lineStart: 4,
    });
  });
});

describe("for any text and any split", () => {
  const lenients = fc.boolean();
  const sizes = fc.array(fc.nat(12), { minLength: 1, maxLength: 6 }).filter((list) => list.some(Boolean));
  const containers = jsonText().filter((text) => /^\s*[{[]/.test(text));
  const objects = containers.map((text) => text.trim()).filter((text) => /^{\s*"/.test(text));
  const prose = fc
    .array(fc.oneof(fc.string({ unit: "grapheme" }), fc.lorem(), fc.constantFrom("\n", "```json\n", ' "')))
    .map((parts) => parts.join("").replace(/[[\]{}<>]/g, ""));

  // G-parsers-1
  test("an object in prose is found, and nothing before it", () => {
    fc.assert(
      fc.property(prose, objects, prose, lenients, sizes, (before, object, after, lenient, cut) => {
        const text = before + object + after;
        expect(feed(cutInto(text, cut), lenient)).toEqual(foundAt(text, before.length));
      }),
      { numRuns: runs },
    );
  });

  test("an object or array alone is found at its first character", () => {
    fc.assert(
      fc.property(containers, lenients, sizes, (text, lenient, cut) => {
        expect(feed(cutInto(text, cut), lenient)).toEqual(foundAt(text, text.search(/\S/)));
      }),
      { numRuns: runs },
    );
  });

  /** All characters with a meaning in the rules, in any order. */
  const tricky = fc
    .array(
      fc.oneof(
        { weight: 10, arbitrary: fc.constantFrom(...Array.from("{}[]<>\"'`\\:,/*#~ \n\t-1.eaT“")) },
        {
          weight: 10,
          arbitrary: fc.constantFrom(
            "```json\n",
            "<think>",
            "</think>",
            '{"a"',
            '["a"',
            "true",
            "{{",
            "//",
            "/*",
          ),
        },
        { weight: 1, arbitrary: fc.constantFrom(" ".repeat(100), "x".repeat(200), "[ ".repeat(60)) },
      ),
    )
    .map((parts) => parts.join(""));

  // G-parsers-1
  test("the result does not depend on the split, and at most 256 characters are held back", () => {
    fc.assert(
      fc.property(tricky, lenients, sizes, (text, lenient, cut) => {
        expect(feed(cutInto(text, cut), lenient)).toEqual(feed([text], lenient));
      }),
      { numRuns: 2 * runs },
    );
  });

  test("the result is at its position, and looks like a document", () => {
    fc.assert(
      fc.property(tricky, sizes, (text, cut) => {
        const found = feed(cutInto(text, cut), false);
        if (found === undefined) return;
        expect(found).toEqual(foundAt(text, found.offset));
        // A scalar, a quote after brackets, or on its own line a number, a literal, or nothing.
        expect(found.text).toMatch(
          /^(?:["\dt-]|[[{\s]*"|[[{\s]+(?:[\dt\]}-]|$)|[[\s]*{\s*}\s*[\],]|[[{\s]{256})/,
        );
      }),
      { numRuns: 2 * runs },
    );
  });
});

describe("for any text, the work grows linearly with its length", () => {
  const charCodeAt = Object.getOwnPropertyDescriptor(String.prototype, "charCodeAt")!.value as (
    this: unknown,
    index: number,
  ) => number;
  let looks = 0;
  beforeAll(() => {
    String.prototype.charCodeAt = function (index) {
      looks++;
      return charCodeAt.call(this, index);
    };
  });
  afterAll(() => {
    String.prototype.charCodeAt = charCodeAt;
  });

  /** Each of 256 characters may begin a candidate that is read to their end, but only in constructed texts. */
  test.each<{ name: string; unit: string; most?: number }>([
    { name: "braces", unit: "{" },
    { name: "brackets", unit: "[" },
    { name: "brackets after prose", unit: "x [" },
    { name: "brackets and spaces", unit: "[ " },
    { name: "smaller signs", unit: "<" },
    { name: "tags", unit: "<a" },
    { name: "beginnings of thinking", unit: "<think" },
    { name: "ends of thinking", unit: "</think" },
    { name: "braces and quotes", unit: '{"' },
    { name: "braces in quotes", unit: '{"{{{{{{{{' },
    { name: "keys without a colon", unit: `{"${"{".repeat(200)}" ` },
    { name: "brackets that end badly", unit: `x${" [".repeat(250)} x` },
    { name: "lines of comments", unit: "{ /* { */ { /* { */\n" },
    { name: "comments in comments", unit: `${"{/*\n".repeat(60)}*/x\n`, most: 32 },
    { name: "quotes in quotes", unit: `${"{\"{'{`{“".repeat(30)} x` },
    { name: "backticks", unit: "`" },
    { name: "white space", unit: " " },
    { name: "digits", unit: "1" },
    { name: "quotes", unit: "'" },
    { name: "escapes", unit: "\\'" },
  ])("$name", ({ unit, most = 6 }) => {
    for (const lenient of [false, true]) {
      for (const size of [1, 1_000]) {
        const text = `x ${unit.repeat(Math.ceil(10_000 / unit.length))}`;
        looks = 0;
        feed(cutInto(text, [size]), lenient);
        expect(looks).toBeLessThan(most * text.length);
      }
    }
  });
});

describe("a very long text", () => {
  test.each([
    { unit: "{", found: undefined },
    { unit: '{"', found: 99_998 }, // because it may be split there
    { unit: "[", found: undefined },
    { unit: "[ ", found: undefined },
    { unit: "\n[", found: 3 },
    { unit: "<", found: undefined },
    { unit: "<think", found: undefined },
    { unit: " ", found: undefined },
    { unit: '"', found: undefined },
  ])("of $unit ends at once", ({ unit, found }) => {
    const text = `x ${unit.repeat(100_000 / unit.length)}`;
    for (const lenient of [false, true]) {
      expect(feed(cutInto(text, [4]), lenient)?.offset).toBe(found);
    }
  });

  test("that is too long for one scalar is not one", () => {
    expect(feed([`"${"a".repeat(65_534)}"`], false)).toMatchObject({ offset: 0 });
    expect(feed([`"${"a".repeat(65_535)}"`], false)).toBeUndefined();
    expect(feed([`<think>${"a".repeat(70_000)}`, "</think>42"], false)).toMatchObject({ text: "42" });
  });
});

/** Removes the ▸ and splits the text in every way: the document must begin at the ▸. */
function expectEveryWay(marked: string, lenient: boolean): void {
  const at = marked.indexOf("▸");
  const text = marked.replace("▸", "");
  const expected = at < 0 ? undefined : foundAt(text, at);
  expect(feed([text], lenient), text).toEqual(expected);
  const wanted = JSON.stringify(expected);
  for (const chunks of everyWay(text, { count: 20 })) {
    if (JSON.stringify(feed(chunks, lenient)) !== wanted) {
      expect(feed(chunks, lenient), JSON.stringify(chunks)).toEqual(expected);
    }
  }
}

/** The document, with all later chunks appended. */
function feed(chunks: readonly string[], lenient: boolean): Found | undefined {
  const extractor = new Extractor(lenient);
  for (const [i, chunk] of chunks.entries()) {
    const found = extractor.find(chunk);
    if (found !== undefined) return { ...found, text: found.text + chunks.slice(i + 1).join("") };
  }
  const { repair, ...found } = extractor.end() ?? { text: "" };
  // It does not look like a document: see whole-text.test.ts.
  const isDocument = "offset" in found && found.whole !== true && repair?.kind !== "missing_brackets";
  return isDocument ? found : undefined;
}

function foundAt(text: string, offset: number): Found {
  const before = text.slice(0, offset);
  return {
    text: text.slice(offset),
    offset,
    line: before.split("\n").length,
    lineStart: before.lastIndexOf("\n") + 1,
  };
}

function cutInto(text: string, sizes: readonly number[]): string[] {
  const chunks: string[] = [];
  for (let i = 0, start = 0; start < text.length; i++) {
    const size = sizes[i % sizes.length]!;
    chunks.push(text.slice(start, start + size));
    start += size;
  }
  return chunks;
}
