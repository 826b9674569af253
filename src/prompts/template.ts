import type { Operator } from "../stream/operator.js";
import { map } from "../stream/operators/map.js";
import type { TemplatePart, Values } from "./values.js";
import type { Without } from "./variables.js";

/** The shared interface of text and chat prompts. Templates are immutable. */
export interface Template<Variables extends object, Output> {
  /** The names of the variables without a value, in the order of their first use. */
  readonly variables: readonly (keyof Variables & string)[];
  /**
   * Formats the prompt with values for its variables. Unknown values are ignored.
   *
   * @throws {PromptError} `missing_variable`, `invalid_value`
   */
  format(...values: FormatArguments<Variables>): Output;
  /** The template as a stage: formats the values that arrive. */
  readonly operator: Operator<Variables, Output>;
  /** Returns a template with some variables set. */
  partial<Name extends keyof Variables>(
    values: Pick<Variables, Name>,
  ): Template<Without<Variables, Name>, Output>;
}

/** The values may be left out if every variable is optional. */
export type FormatArguments<Variables extends object> =
  Partial<Variables> extends Variables ? [values?: Variables] : [values: Variables];

/** @param known the values that are already set */
export function template<Variables extends object, Output>(
  part: TemplatePart<Output>,
  known: Values = {},
): Template<Variables, Output> {
  const { names, render } = part;
  const missing = [...new Set(names)].filter((name) => !Object.hasOwn(known, name));
  return {
    variables: missing as (keyof Variables & string)[],
    format: (...[values]) => render({ ...known, ...values }),
    operator: map((values) => render({ ...known, ...values })),
    partial: (values) => template(part, { ...known, ...(values as Values) }),
  };
}
