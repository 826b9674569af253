import { expectSame, run } from "./run.js";
import type { Runtime } from "./runtimes.js";

/** Runs `millrace json --patches` in a project, on a complete document and on one that is cut. */
export async function checkCommand(runtime: Runtime, project: string): Promise<void> {
  const [command, ...args] = runtime.millrace;
  const millrace = (input: string): ReturnType<typeof run> =>
    run(command, [...args, "json", "--patches"], { cwd: project, env: runtime.env, input });

  const whole = await millrace('{"tea": "grün ☕", "tins": [1, 2]}');
  if (whole.code !== 0) throw new Error(`It ended with code ${String(whole.code)}.\n${whole.stderr}`);
  expectSame(whole.stdout, '[{"op":"replace","path":"","value":{"tea":"grün ☕","tins":[1,2]}}]');

  const cut = await millrace('{"tea": "gr');
  expectSame(cut.stdout, '[{"op":"replace","path":"","value":{"tea":"gr"}}]');
  if (cut.code !== 1 || !cut.stderr.includes("The text ended inside the document")) {
    throw new Error(
      `For a document that is cut, it ended with code ${String(cut.code)} and said:\n${cut.stderr}`,
    );
  }
}
