import { count } from "../../text/counts.js";
import { UsageError } from "../terminal/usage-error.js";

/** @throws {UsageError} */
export function concurrencyOption(
  text: string | undefined,
  maxConcurrency = maxConnections,
): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= maxConcurrency) return number;
  throw new UsageError(
    `--concurrency must be a whole number from 1 to ${count(maxConcurrency)}, but is ${JSON.stringify(text)}.`,
  );
}

/** A process has a limited number of connections. */
const maxConnections = 10_000;

/** @throws {UsageError} */
export function rateOption(name: "rpm" | "tpm", text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (number > 0) return number;
  throw new UsageError(
    `--${name} must be a number greater than 0, such as 2000, but is ${JSON.stringify(text)}.`,
  );
}
