/**
 * `npm run prove:durable [-- NAME…]`: kills the runs of each journal 200 times with `kill -9`, until each moment was
 * reached. Without names it proves all journals. MILLRACE_SEED chooses other moments, and MILLRACE_KILLS another
 * number. For Restate it installs the server and a newer Node below `temp/engines`, because they have 400 MB.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { checkNames, scriptArguments } from "../scripts/script-arguments.js";

const journals = ["file", "dbos", "restate"];
const root = join(import.meta.dirname, "..");

const { positionals } = scriptArguments({});
checkNames("journal", positionals, journals);
const chosen = positionals.length > 0 ? positionals : journals;
if (chosen.includes("restate")) installRestate();
const files = chosen.map((name) => `test/behaviour/durable/${name}.test.ts`);

const { status } = spawnSync("npx", ["vitest", "run", "--project", "long", ...files], {
  cwd: root,
  stdio: "inherit",
  env: { MILLRACE_KILLS: "200", ...process.env },
});
process.exitCode = status ?? 1;

function installRestate(): void {
  const folder = join(root, "temp/engines");
  const server = `@restatedev/restate-server-${process.platform}-${process.arch}@~1.7.12`;
  const packages = [server, "@restatedev/restate-sdk@^1.17.2", "node@24"];
  const { status } = spawnSync("npm", ["install", "--prefix", folder, "--no-save", ...packages], {
    cwd: root,
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
}
