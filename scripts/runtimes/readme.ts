import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { markdownExamples, type Example } from "../markdown-examples.js";
import { withoutTypes } from "./programs.js";
import { root } from "./projects.js";
import { expectSame, print } from "./run.js";
import type { Runtime } from "./runtimes.js";

/** Writes each runnable example of the README into the project, as TypeScript and as JavaScript. */
export function readmeExamples(project: string): Example[] {
  writeFileSync(join(project, printer), withoutTypes("print-like-node.ts"));
  const examples = markdownExamples(readFileSync(join(root, "README.md"), "utf8")).filter(({ run }) => run);
  for (const example of examples) {
    const programs = { ts: example.code, mjs: transformSync(example.code, { loader: "ts" }).code };
    for (const [extension, code] of Object.entries(programs)) {
      writeFileSync(join(project, nameOf(example, extension)), code);
      writeFileSync(
        join(project, nameOf(example, `like-node.${extension}`)),
        `import "./${printer}";\n${code}`,
      );
    }
  }
  return examples;
}

/** Runs an example and compares its output with the README's. */
export async function checkExample(runtime: Runtime, example: Example, project: string): Promise<void> {
  const extension = runtime.typescript ? "ts" : "mjs";
  const program = nameOf(example, runtime.printsLikeNode ? extension : `like-node.${extension}`);
  const printed = await print(runtime.command, [...runtime.flags, program], { cwd: project });
  if (example.prints !== undefined) expectSame(printed, example.prints);
}

const printer = "print-like-node.mjs";

function nameOf({ line }: Example, extension: string): string {
  return `readme-${line}.${extension}`;
}
