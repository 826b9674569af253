import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "../../../docs/api");

/** The API reports of all entries, which a gate keeps current. */
const reports = readdirSync(folder)
  .filter((file) => file.endsWith(".api.md"))
  .map((file) => readFileSync(join(folder, file), "utf8"));

/** The exports of the package in all entries: values and types. */
export const exportedNames: ReadonlySet<string> = new Set(
  reports.flatMap((report) =>
    matches(report, /^(?:declare )?(?:abstract )?(?:class|const|function|interface|let|type) (\w+)/gm),
  ),
);

/** The members of interfaces and classes with these names. */
export function membersOf(...names: readonly string[]): ReadonlySet<string> {
  const members = reports.flatMap((report) =>
    names.flatMap((name) =>
      matches(
        report,
        new RegExp(String.raw`(?:interface|class) ${name}\b[^{]*\{\n([\s\S]*?)^\}`, "gm"),
      ).flatMap((body) => matches(body, /^ {4}(?:readonly |get )?(\w+)\??[:(<]/gm)),
    ),
  );
  return new Set(members);
}

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, name = ""]) => name);
}
