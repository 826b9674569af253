/** What to tell a model that is to write XML, with one example. */
export function xmlInstructions(tags: readonly string[] = []): string {
  const lines = [
    "Answer with one XML document and nothing else: no prose, no Markdown fence.",
    "Give every tag its end tag, in the right order. In text write &amp; for & and &lt; for <.",
  ];
  if (tags.length > 0) lines.push(`Use these tags: ${tags.map((tag) => `<${tag}>`).join(", ")}.`);
  return [...lines, "For example:", example(tags)].join("\n");
}

function example(tags: readonly string[]): string {
  const [root = "answer", ...inner] = tags.length > 0 ? tags : ["answer", "title", "text"];
  if (inner.length === 0) return `<${root}>text</${root}>`;
  return [`<${root}>`, ...inner.map((tag) => `  <${tag}>text</${tag}>`), `</${root}>`].join("\n");
}
