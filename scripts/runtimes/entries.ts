import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { entryNames } from "../entries.js";
import { document, startModelServer } from "./model-server.js";
import { withoutTypes } from "./programs.js";
import { expectSame, print } from "./run.js";
import type { Runtime } from "./runtimes.js";

/** Runs `programs/every-entry.ts` in a project, against a model server of this process. */
export async function checkEntries(runtime: Runtime, project: string): Promise<void> {
  const program = "every-entry.mjs";
  writeFileSync(join(project, program), withoutTypes("every-entry.ts"));
  const server = await startModelServer();
  try {
    const args = [...runtime.netFlags, program, server.baseURL, ...entryNames];
    const printed = await print(runtime.command, args, { cwd: project });
    const expected = {
      exported: entryNames,
      whole: document,
      served: document,
      grew: true,
      resumed: document,
      late: { value: document, status: "done" },
      partials: 3,
      left: "true",
    };
    expectSame(printed, JSON.stringify(expected));
  } finally {
    server.close();
  }
}

/** A program of CommonJS, which gets the ES modules by `require()`. */
export async function checkRequire(runtime: Runtime, project: string): Promise<void> {
  const program = "required.cjs";
  const code = `
    const { collect, from, jsonParser, pipe } = require("millrace");
    const { memoryLog } = require("millrace/serve");
    collect(pipe(from(['{"tea": "gr', 'een"}']), jsonParser().stream)).then((values) => {
      console.log(JSON.stringify(values), typeof memoryLog().read);
    });`;
  writeFileSync(join(project, program), code);
  expectSame(
    await print(runtime.command, [...runtime.flags, program], { cwd: project }),
    '[{"tea":"gr"},{"tea":"green"}] function',
  );
}
