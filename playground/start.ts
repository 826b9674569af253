/**
 * `npm run playground`: the playground from the sources. Its page is built first if it is missing or older than its
 * sources.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const page = "playground/dist/page/index.html";
const recordings = "../shared/recordings";

const tsx = ["--import", "tsx"];
if (!existsSync(page) || newest("playground/src") > statSync(page).mtimeMs) {
  console.log("Building the page of the playground …");
  const { status } = spawnSync(process.execPath, [...tsx, "playground/build.ts", "--page"], {
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
}
const args = existsSync(recordings) ? ["--recordings", recordings] : [];
spawn(process.execPath, [...tsx, "src/cli/main.ts", "playground", ...args, ...process.argv.slice(2)], {
  stdio: "inherit",
}).on("close", (code) => process.exit(code ?? 1));
// Ctrl-C reaches both processes; this one waits for the other.
process.on("SIGINT", () => {});

function newest(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return Math.max(...files.map((file) => statSync(join(folder, file)).mtimeMs));
}
