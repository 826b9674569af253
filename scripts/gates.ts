/**
 * The parts of all gates, which a workflow can run side by side: `bash .ci/run gates`. `services` are tests that kill
 * servers and databases, and play whole pages.
 */
export const parts = ["tests", "gates", "services"] as const;

/** A check that must pass before a change lands. */
export interface Gate {
  readonly name: string;
  /** Default: `gates`. */
  readonly part?: (typeof parts)[number];
  /** Run by the shell in the root of the project, with node_modules/.bin on the path. */
  readonly command: string;
  /** The file with the counts of a test run. */
  readonly counts?: string;
  /** Print its output even if it passes. */
  readonly show?: true;
  /** It changes what others read, or needs all cores: it does not run side by side with others. */
  readonly alone?: true;
}

/** A run of tests, by the script of package.json. */
function testsGate(name: string, script: string): Gate {
  const counts = `temp/check/${name}.json`;
  const reporters = `--reporter=default --reporter=json --outputFile.json=${counts}`;
  return { name, command: `npm run --silent ${script} -- ${reporters}`, counts };
}

export const gates: readonly Gate[] = [
  { ...testsGate("tests", "test"), part: "tests", alone: true },
  { name: "build", command: "npm run --silent build", alone: true },
  { name: "pack", command: "npm pack --silent --ignore-scripts --pack-destination temp/check", alone: true },
  // The longest first.
  { name: "runtimes", command: "tsx scripts/runtimes.ts temp/check/*.tgz", show: true },
  { name: "bench", command: "npm run --silent bench -- --smoke", show: true },
  { name: "docs", command: "npm run --silent docs" },
  testsGate("tests-of-package", "test:package"),
  testsGate("tests-on-plain-scanner", "test:plain"),
  { name: "lint", command: "oxlint" },
  { name: "types", command: "tsc" },
  { name: "format", command: "oxfmt --check" },
  // Projects of users, whose bundlers resolve modules.
  { name: "types-of-templates", command: "tsc -p templates" },
  { name: "api", command: "tsx scripts/api.ts" },
  { name: "layers", command: "depcruise src playground/src" },
  // A project of its own, because it has types of Vite.
  { name: "types-of-site", command: "tsc -p docs/.vitepress" },
  { name: "unused", command: "knip --treat-config-hints-as-errors" },
  { name: "attw", command: "attw --profile esm-only temp/check/*.tgz" },
  { name: "publint", command: "publint run --strict temp/check/*.tgz" },
  // Beside others, a page would wait longer than a second for a frame.
  { ...testsGate("long-tests", "test:long"), part: "services", alone: true },
];
