/** The heading above the table in docs/learn/comparison.md. */
export const sameAppSection = "The same app";

const begin = "<!-- same-app: written by `npm run compare:apps` -->";
const end = "<!-- /same-app -->";

/**
 * The page with another table between its marks.
 *
 * @throws {Error} if the marks are not there
 */
export function withTable(markdown: string, table: string): string {
  const from = markdown.indexOf(begin);
  const to = markdown.indexOf(end, from);
  if (from < 0 || to < 0)
    throw new Error(`docs/learn/comparison.md lacks the lines "${begin}" and "${end}".`);
  return `${markdown.slice(0, from)}${begin}\n\n${table}\n\n${markdown.slice(to)}`;
}
