import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { LLMock } from "@copilotkit/aimock";
import { expect, test } from "vitest";
import { bundledPrograms } from "../../support/bundled-programs.js";
import type { LoadReport } from "./support/load-report.js";

const count = 400;

// G-agent-11
test(`${count} agents run simultaneously, return the right results and leak nothing`, async () => {
  const mock = new LLMock({ port: 0 });
  mock.on({ predicate: () => true }, ({ messages }) => {
    const number = /\d+/.exec(JSON.stringify(messages[0]))?.[0];
    return {
      toolCalls: [
        { id: "call_1", name: "lookup", arguments: `{"number":${number}}` },
        { id: "call_2", name: "Found", arguments: `{"number":${number},"name":"number ${number}"}` },
      ],
    };
  });
  await mock.start();
  try {
    // The process must end by itself: no socket or timer remains open. It fails if it needs more memory.
    const [child = ""] = bundledPrograms(fileURLToPath(new URL("support/load-child.ts", import.meta.url)));
    const args = ["--max-old-space-size=300", child, mock.url, String(count)];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 60_000 });
    const report = JSON.parse(stdout) as LoadReport;
    expect(report).toMatchObject({ right: count, listeners: 0, timers: 0, alive: 0 });
    expect(report.kept).toBeLessThan(16_000_000); // code that was compiled, sockets
  } finally {
    await mock.stop();
  }
}, 70_000);
