import type { JsonCoercion } from "../../json/coercion.js";
import { cut } from "../../text/cut.js";
import type { Io } from "../terminal/io.js";

/** Prints a coercion as one line on standard error. */
export function reportCoercion(
  { pointer, kind, from, to }: JsonCoercion,
  command: string,
  { stderr }: Pick<Io, "stderr">,
): void {
  const written = cut(JSON.stringify(from), 60);
  const result = to === undefined ? "left out" : `read as ${cut(JSON.stringify(to), 60)}`;
  stderr.write(
    `${command}: coerced: ${kind} at ${pointer === "" ? "the root" : pointer}: ${written} ${result}\n`,
  );
}
