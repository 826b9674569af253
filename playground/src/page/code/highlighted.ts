/** A piece of code, and its kind as the name of a class; "" for the rest. */
export interface CodePiece {
  readonly kind: "comment" | "string" | "keyword" | "number" | "tag" | "";
  readonly text: string;
}

const kinds = ["comment", "string", "keyword", "number", "tag"] as const;

const pieces = new RegExp(
  [
    String.raw`(\/\/[^\n]*)`,
    String.raw`("(?:[^"\\\n]|\\.)*"|\x60(?:[^\x60\\]|\\.)*\x60)`,
    String.raw`\b(import|from|export|const|type|interface|function|return|async|await|new|typeof|as|true|false|null)\b`,
    String.raw`\b(\d[\d.]*)\b`,
    String.raw`(?<![\w)])(<\/?[A-Za-z]\w*|<\/?>)`,
  ].join("|"),
  "g",
);

/** Splits TypeScript as this page writes it into pieces. Joined, they are the code. */
export function highlighted(code: string): CodePiece[] {
  const found: CodePiece[] = [];
  let from = 0;
  for (const match of code.matchAll(pieces)) {
    if (match.index > from) found.push({ kind: "", text: code.slice(from, match.index) });
    const kind = kinds[match.slice(1).findIndex((group) => group !== undefined)] ?? "";
    found.push({ kind, text: match[0] });
    from = match.index + match[0].length;
  }
  return [...found, { kind: "", text: code.slice(from) }];
}
