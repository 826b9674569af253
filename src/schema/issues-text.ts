import type { SchemaIssue } from "./schema.js";

/** What is wrong with a value, in one line: each place with what is wrong there. */
export function issuesText(issues: readonly SchemaIssue[]): string {
  return issues
    .map(({ pointer, message }) => `${pointer === "" ? "the root" : pointer}: ${message}`)
    .join("; ");
}
