import type { Values } from "./values.js";
import type { Without } from "./variables.js";

/** What prompts of both kinds have in common. It is immutable. */
export interface Template<Variables extends object, Output> {
  /** The names of the variables that are still wanted, in the order in which they come first. */
  readonly variables: readonly (keyof Variables & string)[];
  /**
   * The prompt with the values in it. What is not asked for is ignored.
   *
   * @throws {PromptError} `missing_variable`, `invalid_value`
   */
  format(...values: FormatArguments<Variables>): Output;
  /** A template that wants the rest. */
  partial<Name extends keyof Variables>(
    values: Pick<Variables, Name>,
  ): Template<Without<Variables, Name>, Output>;
}

/** None are needed where every variable is optional. */
export type FormatArguments<Variables extends object> =
  Partial<Variables> extends Variables ? [values?: Variables] : [values: Variables];

/**
 * @param names all variables, in order; a name may come more than once
 * @param known the values that are given already
 */
export function template<Variables extends object, Output>(
  names: readonly string[],
  render: (values: Values) => Output,
  known: Values = {},
): Template<Variables, Output> {
  const wanted = [...new Set(names)].filter((name) => !Object.hasOwn(known, name));
  return {
    variables: wanted as (keyof Variables & string)[],
    format: (...[values]) => render({ ...known, ...values }),
    partial: (values) => template(names, render, { ...known, ...(values as Values) }),
  };
}
