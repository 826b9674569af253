import { readFileSync } from "node:fs";
import { join } from "node:path";

const recipes = join(import.meta.dirname, "../../../docs/learn/recipes");

/**
 * The files that a page of docs/learn/recipes shows, by their path. The paragraph before a file begins with its role and its
 * path, such as "The page, `app/page.tsx`:". Its language is not `ts`: blocks of that language are programs of their own, which
 * `test/house/docs-examples.test.ts` runs.
 */
export function recipeFiles(page: string): ReadonlyMap<string, string> {
  const markdown = readFileSync(join(recipes, `${page}.md`), "utf8");
  const blocks = markdown.matchAll(
    /^[A-Z][^`\n]*, `([^`\n]+)`[.:](?:(?!\n\n)[^])*\n\n```(?!ts\b)\w+\n([^]*?)^```$/gm,
  );
  return new Map([...blocks].map(([, path = "", code = ""]) => [path, code]));
}
