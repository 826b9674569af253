import { inspect } from "node:util";

/**
 * The main program of a child process. It runs the programs of its arguments one after the other, which share loaded
 * packages: the next one begins when the process would end, because nothing of the last one is left to do. It sends a
 * report of each to its parent.
 */
const programs = process.argv.slice(2);
let current = -1;
let printed = "";
let problem: string | undefined;

process.stdout.write = (text: string | Uint8Array): boolean => {
  printed += String(text);
  return true;
};
process.on("uncaughtException", (error) => {
  problem = inspect(error);
});
process.on("beforeExit", () => {
  const program = programs[current++];
  if (program !== undefined) process.send?.({ program, printed, problem } satisfies ExampleReport);
  begin();
});
current = 0;
begin();

function begin(): void {
  const program = programs[current];
  if (program === undefined) return;
  printed = "";
  problem = "It waits for a promise that never settles.";
  import(program).then(
    () => {
      problem = undefined;
    },
    (error: unknown) => {
      problem = inspect(error);
    },
  );
}

/** How a program ended. */
export interface ExampleReport {
  readonly program: string;
  readonly printed: string;
  /** Its error, if it failed. */
  readonly problem?: string | undefined;
}
