import { fieldOf } from "../../text/thrown.js";
import { kindName } from "../../text/kind-name.js";
import { ModelError } from "../contract/errors.js";

/**
 * Checks what `fetch` has returned, as it may be a function of the program: a mock, or a `fetch` without streams.
 *
 * @throws {ModelError} `protocol`
 */
export function checkedResponse(answer: unknown, place: string): Response {
  const problem = problemOf(answer);
  if (problem === undefined) return answer as Response;
  throw new ModelError(
    "protocol",
    `The fetch that was called for ${place} returned ${problem}. Let it return a Response whose body nobody has read.`,
  );
}

function problemOf(answer: unknown): string | undefined {
  const body = fieldOf(answer, "body");
  if (typeof fieldOf(answer, "status") !== "number") return `${kindName(answer)} without a status`;
  if (typeof fieldOf(fieldOf(answer, "headers"), "get") !== "function")
    return "an object without headers.get()";
  if (typeof body !== "object" || typeof fieldOf(answer, "arrayBuffer") !== "function")
    return "an object without the body of a Response";
  return fieldOf(answer, "bodyUsed") === true ? "a Response whose body was read" : undefined;
}
