/** A check that must pass before a change lands. The list below runs the quickest first. */
export interface Gate {
  readonly name: string;
  /** Run by the shell in the root of the project, with node_modules/.bin on the path. */
  readonly command: string;
  /** The file with the counts of a test run. */
  readonly counts?: string;
  /** Print its output even if it passes. */
  readonly show?: true;
}

/** A run of tests, by the script of package.json. */
function testsGate(name: string, script: string): Gate {
  const counts = `temp/check/${name}.json`;
  const reporters = `--reporter=default --reporter=json --outputFile.json=${counts}`;
  return { name, command: `npm run --silent ${script} -- ${reporters}`, counts };
}

export const gates: readonly Gate[] = [
  { name: "format", command: "prettier --check --log-level warn ." },
  { name: "lint", command: "eslint . --max-warnings 0" },
  { name: "types", command: "tsc" },
  // A project of its own, because VitePress' types do not compile without skipLibCheck.
  { name: "types-of-site", command: "tsc -p docs/.vitepress" },
  // Projects of users, whose bundlers resolve modules.
  { name: "types-of-templates", command: "tsc -p templates" },
  { name: "layers", command: "depcruise src playground/src" },
  { name: "unused", command: "knip --treat-config-hints-as-errors" },
  testsGate("tests", "test"),
  testsGate("long-tests", "test:long"),
  testsGate("tests-on-plain-scanner", "test:plain"),
  { name: "build", command: "npm run --silent build" },
  testsGate("tests-of-package", "test:package"),
  { name: "pack", command: "npm pack --silent --ignore-scripts --pack-destination temp/check" },
  { name: "runtimes", command: "tsx scripts/runtimes.ts temp/check/*.tgz", show: true },
  { name: "publint", command: "publint run --strict temp/check/*.tgz" },
  { name: "attw", command: "attw --profile esm-only temp/check/*.tgz" },
  { name: "api", command: "tsx scripts/api.ts" },
  { name: "docs", command: "npm run --silent docs" },
  { name: "bench", command: "npm run --silent bench -- --smoke", show: true },
];
