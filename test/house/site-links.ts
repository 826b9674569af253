/** The targets of the links and pictures of a Markdown text, without those in code. */
export function linksOf(markdown: string): string[] {
  const text = withoutFences(markdown).replaceAll(/(`+)(?!`)[^]*?[^`]\1(?!`)/g, "code");
  return [...text.matchAll(/\]\(<?([^\s)>]+)>?(?:\s+"[^"]*")?\)/g)].map(([, href = ""]) => href);
}

/** The headings as readers see them, without marks of code, emphasis and links. */
export function headingsOf(markdown: string): string[] {
  return [...withoutFences(markdown).matchAll(/^#{1,6}\s+(.*?)\s*#*\s*$/gm)].map(([, heading = ""]) =>
    heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll(/[`*]/g, ""),
  );
}

function withoutFences(markdown: string): string {
  return markdown.replaceAll(/^( *)(`{3,}|~{3,})[^]*?^\1\2 *$/gm, "");
}
