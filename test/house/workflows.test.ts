import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const folder = ".github/workflows";
const workflows = readdirSync(folder).map((name) => ({
  name,
  text: readFileSync(join(folder, name), "utf8"),
}));

/** The jobs of a workflow: the text from each name, which is indented by two, to the next. */
function jobsOf(text: string): Map<string, string> {
  const [, jobs = ""] = text.split(/^jobs:\n/m);
  const parts = jobs.split(/^ {2}([\w-]+):\n/m).slice(1);
  return new Map(parts.flatMap((name, i) => (i % 2 === 0 ? [[name, parts[i + 1] ?? ""] as const] : [])));
}

describe("the workflows", () => {
  test.each(workflows)("$name pins each action to a commit and names its version", ({ text }) => {
    const actions = [...text.matchAll(/^\s*(?:- )?uses: (.*)$/gm)].map(([, action]) => action);
    expect(actions.length).toBeGreaterThan(0);
    for (const action of actions) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test.each(workflows)("$name gives no right to write to a whole workflow", ({ text }) => {
    expect(/^permissions:\n((?: {2}.*\n)*)/m.exec(text)?.[1]).toBe("  contents: read\n");
  });

  test("only the job that publishes may publish, and it runs nothing of the repository", () => {
    const withRights = workflows.flatMap(({ text }) =>
      [...jobsOf(text)].filter(([, job]) => /: write$/m.test(job)),
    );
    expect(withRights.map(([name]) => name)).toEqual(["publish"]);
    const publish = withRights[0]?.[1] ?? "";
    expect(publish).toContain("sha256sum --strict --check");
    expect(publish).not.toMatch(/checkout|npm ci|npm run|npx|node /);
    expect([...publish.matchAll(/npm publish (.*)$/gm)].map(([, args]) => args)).toEqual([
      "--ignore-scripts ./millrace-[0-9]*.tgz",
      "--ignore-scripts ./create-millrace-[0-9]*.tgz",
      "--ignore-scripts ./millrace-playground-[0-9]*.tgz",
    ]);
  });
});
