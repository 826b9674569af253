import { UsageError } from "../src/cli/terminal/usage-error.js";

/** Parses the arguments of the script. If they are wrong, prints the reason and ends the script. */
export function scriptArguments<Parsed>(parse: (argv: readonly string[]) => Parsed): Parsed {
  try {
    return parse(process.argv.slice(2));
  } catch (error) {
    if (error instanceof UsageError) refuse(error.message);
    throw error;
  }
}

/** Ends the script if one of the names is unknown. */
export function checkNames(kind: string, names: readonly string[], all: readonly string[]): void {
  const unknown = names.filter((name) => !all.includes(name));
  if (unknown.length > 0) refuse(`Unknown ${kind}: ${unknown.join(", ")}. Use one of ${all.join(", ")}.`);
}

/** The value of an option that is a number of 0 or more. Ends the script if it is not. */
export function numberOf(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value >= 0) return value;
  refuse(`--${name} must be a number of 0 or more, but is "${text}".`);
}

/** Prints the message and ends the script with code 2. There is no stack trace, because the caller made the mistake. */
export function refuse(message: string): never {
  console.error(message);
  process.exit(2);
}
