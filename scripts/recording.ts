/**
 * `npm run recording`: records `npm start` in a terminal and writes the moving picture of the README,
 * docs/images/demo.svg. It needs tmux, which reads the terminal's screen.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Frame, recordingSvg } from "./recording-svg.js";

const columns = 74;
const rows = 24;
const file = "docs/images/demo.svg";
const session = `millrace-recording-${process.pid}`;

const size = ["-x", String(columns), "-y", String(rows)];
const command = "env -u OPENAI_API_KEY -u OPENAI_BASE_URL npx tsx src/cli/main.ts demo; sleep 5";
tmux("new-session", "-d", "-s", session, ...size, command);
const frames: Frame[] = [];
try {
  // The end of the demo is its summary, which stays on the screen.
  for (let unchanged = 0; unchanged < 30 || frames.length < 2;) {
    await sleep(50);
    const lines = tmux("capture-pane", "-ep", "-t", session).trimEnd().split("\n");
    const before = frames.at(-1);
    if (lines.join("\n") === before?.lines.join("\n")) unchanged += 1;
    else {
      unchanged = 0;
      frames.push({ at: performance.now(), lines });
    }
  }
} finally {
  tmux("kill-session", "-t", session);
}
const svg = recordingSvg(frames, columns);
writeFileSync(file, svg);
console.log(`${file}: ${frames.length} frames, ${svg.length} bytes`);

function tmux(...args: readonly string[]): string {
  return execFileSync("tmux", args, { encoding: "utf8" });
}
