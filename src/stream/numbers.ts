/**
 * A number of items, as an option. Checked where it is given, not where it first does harm.
 *
 * @throws {RangeError} naming the option
 */
export function wholeNumber(name: string, value: number, least: number): number {
  if (value >= least && (Number.isInteger(value) || value === Infinity)) return value;
  throw new RangeError(`${name} must be a whole number of at least ${least}, but is ${value}.`);
}

/**
 * A time in milliseconds, as an option; `Infinity` is no limit.
 *
 * @throws {RangeError} naming the option
 */
export function milliseconds(name: string, value: number): number {
  if (value >= 0) return value;
  throw new RangeError(`${name} must be a time in milliseconds, 0 or more, but is ${value}.`);
}
