import { isInstance, textFieldOf } from "../text/thrown.js";

/**
 * The code and the message of a `ThreadError`, which are for users; `undefined` for any other error. By its name: this
 * folder does not know the class, and an app may have two copies of the package.
 */
export function threadProblem(
  error: unknown,
): { readonly code: string; readonly message: string } | undefined {
  if (!isInstance(error, Error) || textFieldOf(error, "name") !== "ThreadError") return undefined;
  return { code: textFieldOf(error, "code"), message: textFieldOf(error, "message") };
}
