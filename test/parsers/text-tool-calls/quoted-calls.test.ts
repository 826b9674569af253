import { from, pipe, collect, textOf, textToolCalls, toAssistantMessage, toolCallsOf } from "millrace";
import { fixedSizes } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { callTexts } from "#src/parsers/text-tool-calls/call-texts.js";
import { dialects } from "./support/dialects.js";
import { expectBlocks, readBlocks } from "./support/read-calls.js";
import { expectSame } from "../../json/support/same-json.js";

const tools = [
  { name: "pay", parameters: { type: "object", properties: { amount: { type: "integer" } } } },
  { name: "bash", parameters: { type: "object", properties: { command: { type: "string" } } } },
];
const pay = '<tool_call>{"name": "pay", "arguments": {}}</tool_call>';
const lines = '<tool_call>\n{"name": "pay", "arguments": {"amount": 1}}\n</tool_call>';
const xml = "<function=bash>\n<parameter=command>\nls\n</parameter>\n</function>";
const real = '<tool_call>\n{"name": "bash", "arguments": {"command": "ls"}}\n</tool_call>';
const call = ["bash", { command: "ls" }];

const quoted = {
  "in back quotes": `Use \`${pay}\` like so.`,
  "in double back quotes": `Use \`\`${pay}\`\` like so.`,
  "in quotes of Python at the start": `"""\n${lines}\n"""\nDone.`,
  "in LaTeX": `So:\n$$\n${pay}\n$$\nDone.`,
  "in LaTeX with brackets": `So:\n\\[\n${lines}\n\\]\nDone.`,
  "in parentheses on lines": `(note:\n${lines}\n)\nDone.`,
  "in brackets on lines": `Well.\n[note:\n${pay}\n]\nDone.`,
  "after a title": `Example\n=======\n\n${lines}\nDone.`,
  "twice after the words of an example": `For example:\n\n${lines}\n\nor\n\n${lines}\nDone.`,
  "in an email": `<email>\nHi,\n${lines}\n</email>\nDone.`,
  "in results of a search": `<search_results>\nSee:\n${lines}\n</search_results>\nDone.`,
  "in a text area": `<textarea rows="2">\nSee:\n${lines}\n</textarea>\nDone.`,
  "in a document": `<document>\nSee:\n${lines}\n</document>\nDone.`,
  "in an example of Org": `#+BEGIN_EXAMPLE\n${lines}\n#+END_EXAMPLE\nDone.`,
  "in back quotes with other text": `Use \`x ${pay} y\` like so.`,
  "in back quotes at the start": `\`${pay}\` pays.`,
  "in quotes": `Write "${pay}" to pay.`,
  "in single quotes": `Write '${pay}' to pay.`,
  "in typographic quotes": `Write “${pay}” to pay.`,
  "in parentheses": `Pay (${pay}) now.`,
  "in a sentence": `To pay, write ${pay} in your answer.`,
  "in a sentence, on lines": `To pay, write ${lines}\nin your answer.`,
  "in a fence": `Example:\n\`\`\`\n${pay}\n\`\`\`\nDone.`,
  "in a fence with a language, on lines": `Example:\n\n\`\`\`xml\n${lines}\n\`\`\`\nDone.`,
  "in a fence of tildes": `Example:\n~~~\n${pay}\n~~~`,
  "in a longer fence with a fence inside": `Example:\n\`\`\`\`\n\`\`\`\n${pay}\n\`\`\`\n${pay}\n\`\`\`\``,
  "in a fence that begins an item of a list": `Example:\n- \`\`\`xml\n  ${pay}\n  \`\`\`\nDone.`,
  "in a fence that begins a numbered item": `1. \`\`\`\`\n   \`\`\`\n   ${pay}\n   \`\`\`\n   ${pay}\n   \`\`\`\``,
  "in XML, in a fence that begins an item": `* 1) ~~~\n${xml}\n~~~`,
  "in code of HTML with a class": `<pre><code class="xml">\n${pay}\n</code></pre>`,
  "in a fence that is not closed": `Example:\n\`\`\`\n${pay}\n`,
  "as a list in a fence": `Example:\n\`\`\`\n<tool_call>\n[1,\n{"name": "pay", "arguments": {}}]\n</tool_call>\n\`\`\``,
  "in XML, in back quotes": `Write \`<tool_call>${xml}</tool_call>\` in your answer.`,
  "in XML, in a fence": `Example:\n\`\`\`xml\n<tool_call>\n${xml}\n</tool_call>\n\`\`\``,
  "as a function tag in a sentence": "Some models write <function=bash> to call it. Done.",
  "as a function tag in a sentence, with arguments": `Some models write: ${xml} to call it.`,
  "as a function tag at the start of a line": "<function=bash> is how it begins.",
  "as a function tag at the end": "It begins with\n<function=bash>",
  "as GLM in back quotes":
    "Use `<tool_call>pay<arg_key>amount</arg_key><arg_value>1</arg_value></tool_call>` to pay.",
  "in the middle of a line": `For example: ${pay} pays.`,
  "in the middle of a line, with its tags on other lines": `For example: ${lines} pays.`,
  "twice in the middle of a line": `For example: ${pay} and ${pay} pay.`,
  "twice in the middle of a line, side by side": `For example: ${pay} ${pay} pay.`,
  "with more JSON in its tag, in the middle of a line": `For example: ${pay.replace("}}", "}}; {}; [{}]")} pays.`,
  "in the middle of a line, after a dash": `The call — ${pay} — pays.`,
  "in an item of a list": `- ${pay}: pays`,
  "in Chinese": `例如：${pay} 会付款。`,
  "in brackets of Chinese": `（${pay}）`,
  "in quotes with spaces": `« ${pay} »`,
  "in bold letters": `**${pay}** pays.`,
  "in a table": `| call | ${pay} |`,
  "in a quotation": `> ${pay}`,
  "in a quotation of several lines": `> ${lines.replaceAll("\n", "\n> ")}`,
  "in XML, in a quotation": `> ${xml.replaceAll("\n", "\n> ")}`,
  "in code of HTML": `<code>${pay}</code> pays.`,
  "in a comment": `<!-- ${pay} -->`,
  "in a comment of several lines": `<!--\n${pay}\n-->`,
  "in a comment of code": `// ${pay}`,
  "in a comment of Python": `x = 1\n# ${pay}`,
  "in an element of examples": `<example>\n${pay}\n</example>`,
  "in an element of quotations": `<blockquote>${pay}</blockquote>`,
  "in a section of CDATA": `<![CDATA[${pay}]]>`,
  "in a code span of several lines": `Use \`<tool_call>\n${xml}\n</tool_call>\` like so.`,
  "as tags without arguments": "<function=bash></function> is how it begins and ends.",
  "in an answer that names another tool in a sentence":
    'Like this: <tool_call>{"name": "spend", "arguments": {}}</tool_call>',
};

const thinking = {
  "<think>": "</think>",
  "<thinking>": "</thinking>",
  "<Thinking>": "</Thinking>",
  "<think >": "</think >",
  '<thinking budget="5">': "</thinking>",
  "<thought>": "</thought>",
  "<reasoning>": "</reasoning>",
  "<analysis>": "</analysis>",
  "<reflection>": "</reflection>",
  "<thoughts>": "</thoughts>",
  "<scratchpad>": "</scratchpad>",
  "<antThinking>": "</antThinking>",
  "<seed:think>": "</seed:think>",
  "<longcat_think>": "</longcat_think>",
  "[THINK]": "[/THINK]",
  "◁think▷": "◁/think▷",
  "<|channel|>analysis<|message|>": "<|end|>",
  "<|channel>thought\n": "<channel|>",
  "<unused94>thought\n": "<unused95>",
  "<|START_THINKING|>": "<|END_THINKING|>",
  "<|inner_prefix|>": "<|inner_suffix|>",
  "<|begin_of_thought|>": "<|end_of_thought|>",
};

describe("a call that is only quoted is text", () => {
  for (const [where, text] of Object.entries(quoted)) {
    test(where, async () => {
      await expectBlocks(text, { tools }, [text]);
      const line = `${text}\n`;
      await expectBlocks(line, { dialect: "hermes", tools }, [line], fixedSizes(line, [1, 2, 3, 7]));
    });

    test(`${where}, and a call after it is read`, async () => {
      // A fence that is not closed contains all that follows.
      const isOpen = where.endsWith("not closed");
      const all = `${text}\n${real}`;
      await expectBlocks(all, { tools }, isOpen ? [all] : [`${text}\n`, call]);
    });
  }

  test("without knowing the tools", async () => {
    for (const [where, text] of Object.entries(quoted)) {
      if (!where.includes("names another tool")) await expectBlocks(text, {}, [text]);
    }
  });
});

/** Quotations of several lines, whose end is before the text that follows them. */
const quotations: Readonly<Record<string, (lines: string) => string>> = {
  "between lines of quotes": (it) => `The docs say:\n"""\n${it}\n"""\nDone.`,
  "in quotes after a space": (it) => `The docs say:\n""" So:\n${it}\n"""\nDone.`,
  "between lines of single quotes": (it) => `The docs say:\n'''\n${it}\n'''\nDone.`,
  "in a string of Python": (it) => `Write\nprompt = f"""Like so:\n${it}\n"""\nDone.`,
  "in a code span of several lines, after other text": (it) => `Use \`some text\n${it}\nmore\` like so.`,
  "in a code span of several lines, at its end": (it) => `Use \`\`some \` text\n${it}\`\` like so.`,
  "in indented code": (it) => `An example:\n\n${it.replaceAll(/^/gm, "    ")}\n\nDone.`,
  "in indented code after a line of it": (it) => `Example:\n\n\tx\n\n${it.replaceAll(/^/gm, "\t")}\nDone.`,
  "in LaTeX": (it) => `See\n\\begin{verbatim}\n${it}\n\\end{verbatim}\nDone.`,
  "in LaTeX with options": (it) => `\\begin{lstlisting}[language=xml]\nx\n${it}\n\\end{lstlisting}`,
  "in a comment of several lines, with stars": (it) => `/**\n * So:\n${it.replaceAll(/^/gm, " * ")}\n */`,
  "in a comment of several lines, with text": (it) => `<!-- So:\n${it}\n-->`,
  "in lines of a comment": (it) => it.replaceAll(/^/gm, "// "),
  "in lines of a comment of LaTeX": (it) => it.replaceAll(/^/gm, "% "),
  "in a comment after code": (it) => `x = 1  # ${it.replaceAll("\n", "\n# ")}`,
  "in code of HTML, with text": (it) => `So: <pre>\nx\n${it}\n</pre>`,
  "in a result that the model made up": (it) => `<tool_response>\nSee\n${it}\n</tool_response>`,
  "in details of HTML": (it) => `<details open>\n<summary>So</summary>\n\n${it}\n</details>`,
  "in a section of CDATA": (it) => `<![CDATA[ So:\n${it}\n]]>`,
  "in an element of examples, with text": (it) => `<example>\nList files.\n${it}\n</example>`,
};

/** The texts before calls that are examples, or those of others. What follows such calls directly is one, too. */
const labels = [
  "For example:\n",
  "A call may be written on one line, for example\n\n",
  "You can call it, e.g. ",
  "Here is an example of a call: ",
  "### Example 1\n\n",
  "Example of a call:\n",
  "Such models write calls such as\n",
  "**Example:**\n",
  "**Example**:\n",
  "Zum Beispiel:\n",
  "Por exemplo:\n",
  "Ad esempio:\n",
  "例如：",
  "例：\n",
  "例えば:\n",
  "Esempio:\n",
  "Bijvoorbeeld:\n",
  "Na przykład:\n",
  "Örneğin: ",
  "Например:\n",
  "مثال:\n",
  "לדוגמה:\n",
  "उदाहरण:\n",
  "예를 들어:\n",
  "Example::\n\n",
  "To list files, I would call:\n",
  "You'd write this: ",
  "list files -> ",
  "List files →\n",
  "User: ",
  "Q:\n",
];

describe.each(dialects)("in %s, a call is text", (dialect) => {
  const text = callTexts(dialect).calls([{ name: "bash", args: { command: "ls" } }]);
  const before = "Let me look:\n\n";
  const expectInPieces = (it: string, blocks: readonly unknown[]): Promise<void> =>
    expectBlocks(it, { dialect, tools }, blocks, fixedSizes(it, [1, 3]));

  test.each(Object.entries(quotations))("%s", async (_, quoteLines) => {
    const quotation = quoteLines(text);
    await expectInPieces(quotation, [quotation]);
    await expectInPieces(`${quotation}\n\n${before}${text}`, [`${quotation}\n\n${before}`, call]);
  });

  test.each(labels)("after %j", async (label) => {
    await expectInPieces(label + text, [label + text]);
    const two = `${label}${text}\n${text}\nDone.`;
    if (label.endsWith("\n")) await expectInPieces(two, [two]);
    const all = `${label}${text}\n${before}`;
    await expectInPieces(all + text, [all, call]);
  });
});

describe("a call in the thinking of the model is text", () => {
  for (const [open, close] of Object.entries(thinking)) {
    test(`${open}…${close}`, async () => {
      const draft = `${open}Maybe:\n${lines}\n\`${xml}${close}`;
      await expectBlocks(`${draft}Done.`, { tools }, [`${draft}Done.`]);
      await expectBlocks(`${draft}\n${real}`, { dialect: "hermes", tools }, [`${draft}\n`, call]);
      await expectBlocks(draft + real, { tools }, [draft, call]);
    });
  }

  test("also if it does not end", async () => {
    const text = `Hm. [THINK]Maybe:\n${lines}`;
    await expectBlocks(text, { tools }, [text]);
  });

  test("also after a closing tag in quotes in it", async () => {
    for (const mention of ["the tag `</think>` ends it", 'text.split("</think>")', "(‘x’, “</think >”)"]) {
      const draft = `${mention}\n${lines}\n</think>`;
      await expectBlocks(`<think>${draft}\n${real}`, { tools }, [`<think>${draft}\n`, call]);
      await expectBlocks(`${draft}\n${real}`, { tools, openThinking: true }, [`${draft}\n`, call]);
    }
    const end = '<think>say "x"</think>"';
    await expectBlocks(`${end}\n${real}`, { tools }, [`${end}\n`, call]);
  });

  test("also after thinking inside it, of the same name", async () => {
    const draft = `<think>A <think>b</think>\n${lines}\n</think>`;
    await expectBlocks(`${draft}\n${real}`, { tools }, [`${draft}\n`, call]);
    const mention = "<think>Write `<think>` first.</think>";
    await expectBlocks(`${mention}\n${real}`, { tools }, [`${mention}\n`, call]);
    const open = `<think>A <think>b</think>\n${lines}`;
    await expectBlocks(open, { tools }, [open]);
  });

  test("but not after a tag in back quotes or quotes", async () => {
    for (const text of ["Do not write `<think>` here.\n", 'The "<reasoning>" tag.\n']) {
      await expectBlocks(text + real, { tools }, [text, call]);
    }
  });
});

describe("with openThinking", () => {
  test("a call before the closing tag is text", async () => {
    for (const close of Object.values(thinking)) {
      const draft = `Maybe:\n${lines}\n${close}`;
      await expectBlocks(`${draft}\n\n${real}`, { tools, openThinking: true }, [`${draft}\n\n`, call]);
    }
    const text = `Maybe:\n${lines}`;
    await expectBlocks(text, { tools, openThinking: true }, [text]);
  });

  test("the text after a block of reasoning is no thinking", async () => {
    const chunks = [
      { content: [{ type: "reasoning", reasoning: "Hm." }] },
      { content: [{ type: "text", text: real }] },
    ] as const;
    const stage = textToolCalls({ tools, openThinking: true, createId: () => "1" });
    const message = toAssistantMessage(...(await collect(pipe(from(chunks), stage))));
    expect(toolCallsOf(message)).toHaveLength(1);
    expect(textOf(message)).toBe("");
  });
});

describe("a call is read", () => {
  for (const text of [
    "I look.\n\n",
    "I look. ",
    "Let me look:",
    "我来查一下",
    "It's `x` and ``y``: ",
    "See `a`.\n```\nb\n```\n",
    'It\'s a "test".\n',
    "Oslo.",
    "An odd ` quote\n",
    "An odd ` quote\n\nIt is `code`.\n",
    "An odd ``` quote, `code`, and\n",
    "Let me look:\n    ",
    "1. Look:\n\n    ",
    "I'd like to look:\n",
    "I look at your example:\n",
    "Let me look at an example first:\n",
    "I'll read another example:\n",
    "I run the code for example.com:\n",
    "'''bold''' and \"\"\"quoted\"\"\".\n",
    'He said ""hi"""\n',
    "The tokens \"\"\" and ''' are quotes.\n",
    "Files in /tmp/*\n",
    "The tag <code> and <!-- here.\n",
    "<!-- a comment -->\n",
    "/* a comment */\n",
    "<pre>x</pre>\n",
    "```html\n<!--\n```\n",
    "```inline```\n",
    "- ",
    "<|im_start|>",
  ]) {
    test(`after ${JSON.stringify(text)}`, () => expectBlocks(text + real, { tools }, [text, call]));
  }

  test("in the fence that is the whole answer", async () => {
    await expectBlocks(`\`\`\`xml\n${real}\n\`\`\``, { tools }, ["```xml\n", call, "\n\n```"]);
    const thought = "<think>Hm.</think>\n```\n";
    await expectBlocks(`${thought}${real}\n\`\`\``, { tools }, [thought, call, "\n\n```"]);
  });

  test("at the start of a line also if it names no tool, so the mistake is reported", async () => {
    const text = '<tool_call>{"name": "spend", "arguments": {}}</tool_call>';
    await expectBlocks(text, { tools }, [["spend", {}]]);
  });
});

describe("a call without a tag", () => {
  const json = '{"name": "bash", "arguments": {"command": "ls"}}';
  const fenced = `Like this:\n\`\`\`json\n${json}\n\`\`\`\n`;

  test("is text in back quotes at the start of a line", async () => {
    for (const quote of [`\`${json}\` runs it.`, '`bash(command="ls")` runs it.', '`[bash(command="ls")]`']) {
      await expectBlocks(quote, { tools }, [quote]);
    }
  });

  for (const [where, text] of Object.entries({
    "in a quotation": `> ${json}`,
    "in a quotation, in Python": '> bash(command="ls")',
    "in a quotation in a quotation": `>> ${json}`,
    "in a comment": `<!-- ${json} -->`,
    "in a comment of several lines": `<!--\n${json}\n-->`,
    "in an element of examples": `<example>\n${json}\n</example>`,
    "in bold letters": `**${json}**`,
    "in a line that goes on": `For example: ${json} lists files.`,
    "several times in a line that goes on": `For example: ${json}, ${json}; ${json} list files.`,
    "several times in a line that goes on, in Python": 'For example: bash(command="ls"), bash() list files.',
    "in a line that goes on, in Python": 'For example: bash(command="ls") lists files.',
    "in other JSON": `{"note": ${json}}`,
    "in other JSON, on lines": `{\n  "steps": [\n    ${json},\n    ${json}\n  ]\n}`,
    "in other JSON, in a fence": `\`\`\`json\n{"steps": [\n${json}\n]}\n\`\`\``,
    "in other JSON, after a string with a bracket": `{"note": "}", "steps": [\n${json}\n]}`,
  })) {
    test(`is text ${where}`, async () => {
      for (const dialect of ["auto", "json", "python"] as const)
        await expectBlocks(text, { dialect, tools }, [text]);
    });
  }

  test("is text in a fence after prose where the dialect has tags, and the call after it is read", async () => {
    for (const dialect of ["hermes", "granite", "glm"] as const) {
      await expectBlocks(`${fenced}${real}`, { dialect, tools }, [fenced, call]);
    }
  });

  test("is read in a fence after prose where the dialect has none", async () => {
    for (const dialect of ["auto", "json", "llama", "python"] as const) {
      await expectBlocks(fenced, { dialect, tools }, ["Like this:\n```json\n", call, "\n```\n"]);
    }
  });

  test("is text in a list that names no tool", async () => {
    const list = '[spend(amount=1), bash(command="ls")]';
    await expectBlocks(list, { dialect: "python", tools }, [list]);
  });
});

test("a long example is text, also a call that is longer than what is withheld", async () => {
  const long = real.replace("ls", "x".repeat(100_000));
  for (const text of [`For example:\n${`${real}\n`.repeat(2_000)}`, `For example:\n${long}\nDone.`]) {
    for (const chunks of [[text], ...fixedSizes(text, [7, 1_000])])
      expect(await readBlocks(chunks, { tools })).toEqual([{ type: "text", text }]);
  }
});

test("a long text with quotes and tags is read before the test times out", async () => {
  for (const part of [
    "`<tool_call>",
    "```\n<tool_call>\n",
    "<reasoning",
    "[THIN",
    "◁",
    "a <function=",
    "<think>`",
  ]) {
    const text = part.repeat(Math.ceil(200_000 / part.length));
    const chunks = text.match(/[^]{1,50}/g) ?? [];
    expect(await readBlocks(chunks, { tools })).toEqual([{ type: "text", text }]);
  }
});

test("a back quote before a call and two after it are no code span, however the text is cut", async () => {
  const text = `An odd \` quote\n${real}\n`;
  await expectBlocks(`${text}and \`\`.`, { tools }, ["An odd ` quote\n", call, "\nand ``."]);
});

test("a fence after a call of DeepSeek is text, and the call after it is read", async () => {
  const deepseek = callTexts("deepseek").calls([{ name: "bash", args: { command: "ls" } }]);
  const fence = "\n\n```sh\npwd\n```\n\nLet me look:\n";
  for (const dialect of ["auto", "deepseek"] as const)
    await expectBlocks(deepseek + fence + deepseek, { dialect, tools }, [call, fence, call]);
});

test("calls in one line that are too long for a mention are the same however the text is cut", async () => {
  const text = `Look: ${`${pay} `.repeat(1_500)}pays.`;
  const whole = await readBlocks([text], { tools });
  expect(whole.length).toBeGreaterThan(1);
  for (const chunks of fixedSizes(text, [7, 11, 1_000])) {
    expectSame(await readBlocks(chunks, { tools }), whole);
  }
});

test("a second call after a marker in a line is read, also if the first is too long for a mention", async () => {
  for (const length of [10, 70_000]) {
    const command = "x".repeat(length);
    const [first, second] = [command, "ls"].map(
      (it) => `{"name": "bash", "arguments": {"command": "${it}"}}`,
    );
    const blocks = await readBlocks([`Look: <tool_call>${first}\n`, `${second}</tool_call>`], { tools });
    expectSame(
      toolCallsOf({ content: blocks }).map(({ args }) => args),
      [{ command }, { command: "ls" }],
    );
  }
});

describe("a call in other code in Python is text", () => {
  for (const text of [
    "if False:\n    pay(amount=1)",
    "```python\ndef f():\n    x = 1\n\n    pay(amount=1)\n```",
    "try:\n  [pay(amount=1)]\nexcept Exception: pay(amount=2)",
    "while False: pay(amount=1)",
    "else: # not now\n\tpay(amount=1)",
    "f = lambda x: pay(amount=1)",
    "if a:\n  for b in c:\n    b()\n  pay(amount=1)",
  ])
    test(text, () => expectBlocks(text, { dialect: "python", tools }, [text]));

  test("but not after it", async () => {
    const text = "if a:\n    b()\n";
    await expectBlocks(`${text}pay(amount=1)`, { dialect: "python", tools }, [text, ["pay", { amount: 1 }]]);
  });
});

describe("a call after a turn that the model invents is text", () => {
  for (const turn of [
    "Done.\n<|im_start|>user\n",
    "Done.<|im_end|>\n<|im_start|>tool\n",
    "Done.\n<|im_start|>user\nNow pay.<|im_end|>\n<|im_start|>assistant\n",
    "<|start_header_id|>user<|end_header_id|>\n\n",
    "Done.\n\nUser: now pay\n\nAssistant:\n",
    "Done.\n\n**Human:** now pay\n\n**Assistant:** ",
  ])
    test(JSON.stringify(turn), async () => {
      for (const it of [lines, "[pay(amount=1)]"]) await expectBlocks(turn + it, { tools }, [turn + it]);
    });

  test("after an invented result", async () => {
    for (const result of ["<tool_response>\nok\n</tool_response>\n", "<|im_start|>tool\nok<|im_end|>\n"])
      await expectBlocks(`${real}\n${result}${lines}`, { tools }, [call, `\n\n${result}${lines}`]);
    const gemma = '<|tool_call>call:bash{command:<|"|>ls<|"|>}<tool_call|>';
    const after = `ok<|tool_call>call:pay{}<tool_call|>`;
    await expectBlocks(`${gemma}<|tool_response>${after}`, { tools }, [call, after]);
  });

  test("but not after a price, or a word in angle brackets", async () => {
    for (const text of ["The price is $$\n", "Write: cat <file>\n", "See \\[1]:\n"])
      await expectBlocks(text + real, { tools }, [text, call]);
  });

  test("but not after one that is quoted", async () => {
    for (const text of ["Write `<|im_start|>user` first.\n", "```\nUser: hi\nAssistant: hi\n```\n"])
      await expectBlocks(text + real, { tools }, [text, call]);
  });
});

test("a call in a string of a JSON answer is text, also after a line break", async () => {
  for (const text of [
    `{"title": "a\n${pay.replaceAll('"', '\\"')}\n"}`,
    `{"title": "a\n\n${lines}\n", "b": [1]}\nDone.`,
    `\`\`\`json\n{\n  "title": "\n${pay}\n"}\n\`\`\``,
  ])
    await expectBlocks(text, { dialect: "hermes", tools }, [text]);
  const answer = '{"title": "a\nb", "c": {"d": [1]}}\n\n';
  await expectBlocks(answer + real, { dialect: "hermes", tools }, [answer, call]);
});
