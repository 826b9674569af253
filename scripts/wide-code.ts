/** The columns that fit into a block of code, on the site at 1280 pixels and on GitHub. The formatter keeps to them too. */
const columns = 76;

/** Blocks of what a program writes. Their lines stay as they are, and the site wraps them. */
const output = new Set(["text prints", "text", "console"]);

/** A complaint for each line of code that is too wide for a page. */
export function wideCode(markdown: string, file: string): string[] {
  const blocks = markdown.matchAll(/^( *)(`{3,})(.*)\n([^]*?)^\1\2 *$/gm);
  return [...blocks].flatMap(({ 1: indent = "", 3: info = "", 4: text = "", index }) => {
    if (output.has(info.trim())) return [];
    const before = markdown.slice(0, index).split("\n").length;
    return text
      .split("\n")
      .map((line, at) => ({ line: line.slice(indent.length), number: before + 1 + at }))
      .filter(({ line }) => line.length > columns)
      .map(({ line, number }) => `${file}:${number} is wider than ${columns} columns: ${line}`);
  });
}
