/**
 * Checks an option that is a number of items, and returns it. `Infinity` is allowed.
 *
 * @throws {RangeError} naming the option
 */
export function wholeNumber(name: string, value: number, least: number): number {
  if (value >= least && (Number.isInteger(value) || value === Infinity)) return value;
  throw new RangeError(`${name} must be a whole number of at least ${least}, but is ${value}.`);
}

/**
 * Checks an option that is a number above 0, and returns it. `Infinity` is allowed.
 *
 * @throws {RangeError} naming the option
 */
export function positive(name: string, value: number): number {
  if (value > 0) return value;
  throw new RangeError(`${name} must be a positive number, but is ${value}.`);
}

/**
 * Checks an option that is a time in milliseconds, and returns it. `Infinity` means no limit.
 *
 * @throws {RangeError} naming the option
 */
export function milliseconds(name: string, value: number): number {
  if (value >= 0 && typeof (value as unknown) === "number") return value;
  throw new RangeError(`${name} must be a number of milliseconds of at least 0, but is ${value}.`);
}
