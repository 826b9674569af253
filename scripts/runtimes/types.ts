import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Projects } from "./projects.js";
import { fixedPackage, root } from "./projects.js";
import { print } from "./run.js";

/** A program and the compiler options of a user. */
export interface TypeCheck {
  readonly name: string;
  /** Where it is compiled: without optional peers, with the types of Node, or with Zod. */
  readonly project: keyof Projects;
  /** A file of `programs`. */
  readonly program: string;
  /** The compiler's options, or Deno's own checker. */
  readonly options: Readonly<Record<string, unknown>> | "deno";
  /** The version of TypeScript. Default: the installed one. */
  readonly typescript?: string;
}

const everyLibrary = { strict: true, target: "es2022", skipLibCheck: false, noEmit: true };

/** Strict, but without the additional flags of our own tsconfig.json. */
export const typeChecks: readonly TypeCheck[] = [
  {
    name: "nodenext, no optional peers",
    project: "node",
    program: "types.ts",
    options: { ...everyLibrary, module: "nodenext", types: ["node"] },
  },
  {
    name: "TypeScript 5.7, the oldest that README.md allows",
    project: "node",
    program: "types.ts",
    options: { ...everyLibrary, module: "nodenext", types: ["node"] },
    typescript: "5.7.2",
  },
  {
    name: "TypeScript 6.0, the last that is written in JavaScript",
    project: "node",
    program: "types.ts",
    options: { ...everyLibrary, module: "nodenext", types: ["node"] },
    typescript: "6.0.3",
  },
  {
    name: "bundler, no optional peers, nothing of Node, exactOptionalPropertyTypes",
    project: "bare",
    program: "types.ts",
    options: {
      ...everyLibrary,
      module: "esnext",
      moduleResolution: "bundler",
      types: [],
      exactOptionalPropertyTypes: true,
    },
  },
  {
    name: "Node alone, without the DOM",
    project: "node",
    program: "types.ts",
    options: { ...everyLibrary, module: "nodenext", lib: ["es2022"], types: ["node"] },
  },
  {
    name: "a browser's timers are numbers",
    project: "bare",
    program: "types-in-browser.ts.txt",
    options: {
      ...everyLibrary,
      module: "esnext",
      moduleResolution: "bundler",
      lib: ["es2023", "dom", "dom.iterable", "dom.asynciterable"],
      types: [],
    },
  },
  {
    name: "nodenext, with Zod",
    project: "app",
    program: "types-with-zod.ts",
    options: { ...everyLibrary, module: "nodenext", types: [], skipLibCheck: true },
  },
  { name: "deno check", project: "app", program: "types.ts", options: "deno" },
];

/** Compiles a program of `programs` in a project, with its library's declarations. */
export async function checkTypes(
  { project, program, options, typescript }: TypeCheck,
  projects: Projects,
): Promise<void> {
  const cwd = projects[project];
  // Not a .ts file here, because our own compiler runs with the types of Node.
  const file = program.replace(/\.txt$/, "");
  copyFileSync(join(import.meta.dirname, "programs", program), join(cwd, file));
  const bin = (name: string): string => join(root, "node_modules/.bin", name);
  if (options === "deno") {
    await print(bin("deno"), ["check", file], { cwd });
  } else {
    const config = { compilerOptions: options, files: [file] };
    writeFileSync(join(cwd, "tsconfig.json"), JSON.stringify(config));
    const compiler =
      typescript === undefined ? bin("tsc") : join(await fixedPackage("typescript", typescript), "bin/tsc");
    await print(compiler, ["--pretty", "false"], { cwd });
  }
}
