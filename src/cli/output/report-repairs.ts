import type { JsonRepair } from "../../json/repair.js";
import type { Io } from "../terminal/io.js";

/** Prints one line on standard error for each repair. */
export function reportRepairs(
  repairs: readonly JsonRepair[],
  command: string,
  { stderr }: Pick<Io, "stderr">,
): void {
  for (const { kind, offset } of repairs) {
    stderr.write(`${command}: repaired: ${kind.replaceAll("_", " ")} at character ${offset + 1}\n`);
  }
}
