import { parseArgs, type ParseArgsConfig } from "node:util";

type Specs = NonNullable<ParseArgsConfig["options"]>;

interface Config<S extends Specs, Positionals extends boolean> {
  readonly options: S;
  readonly allowPositionals: Positionals;
}

/** The options and arguments of the script. If they are wrong, prints the reason and ends the script. */
export function scriptArguments<const S extends Specs>(
  options: S,
): ReturnType<typeof parseArgs<Config<S, true>>> {
  return parsed({ options, allowPositionals: true });
}

/** The options of a script that takes no other arguments. */
export function scriptOptions<const S extends Specs>(
  options: S,
): ReturnType<typeof parseArgs<Config<S, false>>>["values"] {
  return parsed({ options, allowPositionals: false }).values;
}

function parsed<C extends ParseArgsConfig>(config: C): ReturnType<typeof parseArgs<C>> {
  try {
    return parseArgs(config);
  } catch (error) {
    refuse((error as Error).message);
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
