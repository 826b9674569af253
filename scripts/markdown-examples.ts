/** A ```ts block of a Markdown text, with its expected output. */
export interface Example {
  /** The line of the first code, after the opening fence, counted from 1. */
  readonly line: number;
  readonly code: string;
  /** False for "```ts no-run": compiled only. */
  readonly run: boolean;
  /** The text of a "```text prints" block that follows directly. */
  readonly prints: string | undefined;
}

/**
 * The examples of a Markdown text. Words after a fence's language, which readers do not see, mark a block:
 *
 * - "```ts" is compiled and run, "```ts no-run" only compiled;
 * - "```text prints" directly after it is its exact output.
 */
export function markdownExamples(markdown: string): Example[] {
  const examples: Example[] = [];
  let lastBlockEnd = -1;
  const lines = markdown.split("\n");
  for (let start = 0; start < lines.length; start++) {
    const fence = /^(\s*)(`{3,})(\S*)\s*(.*?)\s*$/.exec(lines[start] as string);
    if (fence === null) continue;
    const [, indent = "", ticks = "", language, words] = fence;
    let end = start + 1;
    while (end < lines.length && lines[end]?.trim() !== ticks) end++;
    const text = lines.slice(start + 1, end).map((line) => line.slice(indent.length));
    if (language === "ts") {
      if (words !== "" && words !== "no-run") {
        throw new Error(`Line ${start + 1}: a ts block is marked "no-run" or nothing, but got "${words}"`);
      }
      examples.push({ line: start + 2, code: text.join("\n"), run: words === "", prints: undefined });
      lastBlockEnd = end;
    } else if (language === "text" && words === "prints") {
      const example = examples.at(-1);
      const between = lines
        .slice(lastBlockEnd + 1, start)
        .join("")
        .trim();
      if (example === undefined || between !== "" || !example.run) {
        throw new Error(`Line ${start + 1}: "text prints" stands directly after the ts block that prints it`);
      }
      examples[examples.length - 1] = { ...example, prints: text.join("\n") };
    }
    start = end;
  }
  return examples;
}

/** The examples in the docblocks of a TypeScript source: the same blocks, after ` * `. */
export function docblockExamples(source: string): Example[] {
  let inside = false;
  const markdown = source.split("\n").map((line) => {
    if (/^\s*\/\*\*/.test(line)) inside = true;
    const text = inside ? line.replace(/^\s*\/?\*{1,2} ?/, "") : "";
    if (line.includes("*/")) inside = false;
    return text;
  });
  return markdownExamples(markdown.join("\n"));
}
