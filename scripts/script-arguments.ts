import { UsageError } from "../src/cli/terminal/usage-error.js";

/** What `parse` makes of the arguments of the script. Where they are wrong, the script says so and ends. */
export function scriptArguments<Parsed>(parse: (argv: readonly string[]) => Parsed): Parsed {
  try {
    return parse(process.argv.slice(2));
  } catch (error) {
    if (error instanceof UsageError) refuse(error.message);
    throw error;
  }
}

/** Refuses names of what there is not. */
export function checkNames(kind: string, names: readonly string[], all: readonly string[]): void {
  const unknown = names.filter((name) => !all.includes(name));
  if (unknown.length > 0) refuse(`No ${kind} is called ${unknown.join(", ")}. There are: ${all.join(", ")}.`);
}

/** Ends the script that was called wrongly, without a stack trace, as it is not the script that failed. */
export function refuse(message: string): never {
  console.error(message);
  process.exit(2);
}
