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
  /** It uses one core and changes nothing that others read: such gates run side by side with those next to them. */
  readonly aside?: true;
}

/** A run of tests, by the script of package.json. */
function testsGate(name: string, script: string, part: Gate["part"] = "gates"): Gate {
  const counts = `temp/check/${name}.json`;
  const reporters = `--reporter=default --reporter=json --outputFile.json=${counts}`;
  return { name, part, command: `npm run --silent ${script} -- ${reporters}`, counts };
}

export const gates: readonly Gate[] = [
  testsGate("tests", "test", "tests"),
  { name: "build", command: "npm run --silent build" },
  { name: "pack", command: "npm pack --silent --ignore-scripts --pack-destination temp/check" },
  // The longest first.
  { name: "lint", command: "oxlint", aside: true },
  { name: "bench", command: "npm run --silent bench -- --smoke", show: true, aside: true },
  { name: "types", command: "tsc", aside: true },
  { name: "runtimes", command: "tsx scripts/runtimes.ts temp/check/*.tgz", show: true, aside: true },
  { name: "format", command: "oxfmt --check", aside: true },
  { name: "docs", command: "npm run --silent docs", aside: true },
  // Projects of users, whose bundlers resolve modules.
  { name: "types-of-templates", command: "tsc -p templates", aside: true },
  { name: "api", command: "tsx scripts/api.ts", aside: true },
  { name: "layers", command: "depcruise src playground/src", aside: true },
  // A project of its own, because it has types of Vite.
  { name: "types-of-site", command: "tsc -p docs/.vitepress", aside: true },
  { name: "unused", command: "knip --treat-config-hints-as-errors", aside: true },
  { name: "attw", command: "attw --profile esm-only temp/check/*.tgz", aside: true },
  { name: "publint", command: "publint run --strict temp/check/*.tgz", aside: true },
  testsGate("tests-on-plain-scanner", "test:plain"),
  testsGate("tests-of-package", "test:package"),
  testsGate("long-tests", "test:long", "services"),
];
