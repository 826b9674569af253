/** Start-up: what a fresh Node process pays to import an entry or a peer, and to run the command once. */
import { spawnSync } from "node:child_process";
import { counted, type Figure, medianOf, ranged, ratio, text } from "./figures.js";
import { atMost, met } from "./goals.js";
import { list } from "./random.js";
import type { Part } from "./suite.js";

/** Starts of each program in a round. Each is paired with the start of an empty process just before it. */
const starts = 15;
/** Milliseconds. On a busy machine the empty process may take longer than the other. */
const shortest = 0.1;

/** Milliseconds. */
const goals: Readonly<Record<string, number>> = { millrace: 45, "millrace/json": 10, "millrace/client": 10 };
const imports = [
  ...Object.keys(goals),
  ...["millrace/xml", "millrace/agent", "millrace/openai", "millrace/serve"],
  ...["jsonriver", "openai", "zod", "ai"],
];

const emptyProcess = ["--input-type=module", "--eval", ""];
const emptyTime = counted("an empty process", async () => medianOfStarts(() => startOf(emptyProcess)));

const command = counted(
  "millrace json",
  async () => medianOfStarts(() => (1 / startOf(emptyProcess)) * startOf(["dist/cli.js", "json"])),
  ratio,
);
const commandGoal = 1.6;

export const cold: readonly Part[] = [
  {
    text: text`Milliseconds from the start of a fresh process to its end, minus those of an empty process started just \
before it. Each figure is the median of ${String(starts)} such pairs. An empty process takes ${emptyTime} ms.`,
    head: ["import", "ms", "goal", "met"],
    rows: imports.map((name) => {
      const [time, goal] = [timeOf(name), goals[name]];
      const verdict = goal === undefined ? ["", ""] : [`${goal} ms`, met(time, atMost(goal))];
      return [`\`${name}\``, time, ...verdict];
    }),
  },
  {
    text: "The command, on a document of 15 bytes, as a multiple of an empty process:",
    head: ["command", "times", "at most", "met"],
    rows: [["`millrace json`", command, String(commandGoal), met(command, atMost(commandGoal))]],
  },
];

function timeOf(name: string): Figure {
  const args = ["--input-type=module", "--eval", `import ${JSON.stringify(name)}`];
  const more = (): number => -startOf(emptyProcess) + startOf(args);
  return counted(name, async () => Math.max(shortest, medianOfStarts(more)), ranged);
}

function medianOfStarts(measure: () => number): number {
  return medianOf(list(starts, measure));
}

/** Milliseconds. */
function startOf(args: readonly string[]): number {
  const begin = performance.now();
  const input = '{"tea": "green"}';
  const { status, stderr } = spawnSync(process.execPath, args, { input, encoding: "utf8" });
  if (status !== 0) throw new Error(`node ${args.join(" ")} ended with code ${String(status)}.\n${stderr}`);
  return performance.now() - begin;
}
