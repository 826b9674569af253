/**
 * `npm run prove:durable [-- NAME…]`: kills the runs of each journal 200 times with `kill -9`, until each moment was
 * reached. Without names it proves all journals. MILLRACE_SEED chooses other moments.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArguments } from "../src/cli/commands/arguments.js";
import { checkNames, scriptArguments } from "./script-arguments.js";

const journals = ["file", "dbos"];
const root = join(import.meta.dirname, "..");

const { positionals } = scriptArguments((argv) => parseArguments(argv, {}));
checkNames("journal", positionals, journals);
const chosen = positionals.length > 0 ? positionals : journals;
const files = chosen.map((name) => `test/behaviour/durable/${name}.test.ts`);
const { status } = spawnSync("npx", ["vitest", "run", "--project", "millrace", ...files], {
  cwd: root,
  stdio: "inherit",
  env: { MILLRACE_KILLS: "200", ...process.env },
});
process.exitCode = status ?? 1;
