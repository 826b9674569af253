import type { ToolInvocation } from "./invocation.js";

/**
 * What happens to an error:
 *
 * - `false`: it is thrown, and ends the run;
 * - `true`: the model is told what is fit for it;
 * - a text: the model is told that;
 * - a function: the model is told what it returns, or promises. What it throws ends the run.
 */
export type ErrorHandling<Failure> =
  boolean | string | ((error: Failure, call: ToolInvocation) => string | PromiseLike<string>);
