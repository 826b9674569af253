/** Start-up: what a fresh Node process pays to import an entry or a peer, and to run the command once. */
import { spawnSync } from "node:child_process";
import type { CountedCase, Results, Suite } from "./suite.js";
import { figure, ratio, table, withRange } from "./table.js";

/** Starts of each program in a round. Each is paired with the start of an empty process just before it. */
const starts = 15;

/** The imports, with their goals in milliseconds. */
const imports: Readonly<Record<string, number | undefined>> = {
  millrace: 45,
  "millrace/json": 10,
  "millrace/client": 10,
  "millrace/xml": undefined,
  "millrace/agent": undefined,
  "millrace/openai": undefined,
  "millrace/serve": undefined,
  jsonriver: undefined,
  openai: undefined,
  zod: undefined,
  ai: undefined,
};
/** Milliseconds. On a busy machine the empty process may take longer than the other. */
const shortest = 0.1;
const commandGoal = 1.6;

const empty = ["--input-type=module", "--eval", ""];
const importing = (name: string): string[] => [
  "--input-type=module",
  "--eval",
  `import ${JSON.stringify(name)}`,
];
const command = ["dist/cli.js", "json"];

const emptyId = "an empty process";
const commandId = "millrace json";

export const cold: Suite = {
  name: "cold",
  cases: [
    { id: emptyId, count: async () => medianOf(() => startOf(empty)) },
    ...Object.keys(imports).map((name): CountedCase => {
      const args = importing(name);
      return {
        id: name,
        count: async () =>
          Math.max(
            shortest,
            medianOf(() => -startOf(empty) + startOf(args)),
          ),
      };
    }),
    { id: commandId, count: async () => medianOf(() => (1 / startOf(empty)) * startOf(command)) },
  ],
  milliseconds: 0,
  smoke: (id) => id === "millrace/json",
  report,
};

function report(results: Results): string {
  const rows = Object.entries(imports).map(([name, goal]) => {
    const result = results.get(name);
    const met = goal === undefined || result === undefined ? "" : result.median <= goal ? "yes" : "no";
    return [`\`${name}\``, withRange(result), goal === undefined ? "" : `${goal} ms`, met];
  });
  const times = results.get(commandId)?.median;
  const met = times === undefined ? "–" : times <= commandGoal ? "yes" : "no";
  return [
    `Milliseconds from the start of a fresh process to its end, minus those of an empty process started just before it. ` +
      `Each figure is the median of ${starts} such pairs. An empty process takes ${figure(results.get(emptyId)?.median)} ms.`,
    table(["import", "ms", "goal", "met"], rows),
    `The command, on a document of 15 bytes, as a multiple of an empty process:`,
    table(
      ["command", "times", "at most", "met"],
      [[`\`${commandId}\``, ratio(times), String(commandGoal), met]],
    ),
  ].join("\n\n");
}

/** Milliseconds. */
function startOf(args: readonly string[]): number {
  const begin = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, {
    input: '{"tea": "green"}',
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`node ${args.join(" ")} ended with code ${String(status)}.\n${stderr}`);
  return performance.now() - begin;
}

function medianOf(measure: () => number): number {
  const figures = Array.from({ length: starts }, measure).sort((a, b) => a - b);
  return figures[starts >> 1] as number;
}
