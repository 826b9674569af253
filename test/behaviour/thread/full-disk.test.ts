import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { textOf } from "millrace";
import { fileThreads } from "millrace/thread";
import { expect, test } from "vitest";
import { temporaryFolders } from "../../durable/support/folders.js";
import { bundledPrograms } from "../../support/bundled-programs.js";

const newFolder = temporaryFolders();

test("a message for which the disk has no room is refused, leaves no file, and loses nothing", async () => {
  const [program = ""] = bundledPrograms(join(import.meta.dirname, "support/long-thread.ts"));
  const folder = join(newFolder(), "threads");
  // A write beyond 4 KB fails, as on a full disk.
  const args = ["-c", 'ulimit -f 4; exec "$0" "$@"', process.execPath, program, folder];
  const printed = execFileSync("bash", args, { encoding: "utf8" });
  expect(printed.split("\n")).toEqual(["saved", "unavailable", "unavailable", ""]);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  expect(files.filter((name) => name.includes("draft"))).toEqual([]);
  const stored = await fileThreads(folder).load({ owner: "", id: "1" });
  expect(stored?.record.state.messages.map(textOf)).toEqual(["Hi.", "OK."]);
});
