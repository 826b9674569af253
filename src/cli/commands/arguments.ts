import { parseArgs, type ParseArgsConfig } from "node:util";
import { similarTo } from "../../text/similar.js";
import { UsageError } from "../terminal/usage-error.js";

export type OptionSpecs = NonNullable<ParseArgsConfig["options"]>;

interface Config<Specs extends OptionSpecs> {
  args: string[];
  options: Specs;
  allowPositionals: true;
}

export type ParsedArguments<Specs extends OptionSpecs> = ReturnType<typeof parseArgs<Config<Specs>>>;

/**
 * Node's `parseArgs` with our own error messages, because Node's messages change between versions.
 *
 * @throws {UsageError} if an option is unknown, lacks its value, or has a value that it does not take
 */
export function parseArguments<const Specs extends OptionSpecs>(
  argv: readonly string[],
  options: Specs,
): ParsedArguments<Specs> {
  const args = [...argv];
  const { tokens } = parseArgs({ args, options, allowPositionals: true, strict: false, tokens: true });
  for (const token of tokens) if (token.kind === "option") checkOption(token, options);
  return parseArgs<Config<Specs>>({ args, options, allowPositionals: true });
}

/** Like {@link parseArguments}, for commands that take only options. Returns their values. */
export function parseOptions<const Specs extends OptionSpecs>(
  argv: readonly string[],
  options: Specs,
): ParsedArguments<Specs>["values"] {
  const { values, positionals } = parseArguments(argv, options);
  if (positionals.length > 0) {
    throw new UsageError(`Expected no arguments, but got ${positionals.join(" ")}.`);
  }
  return values;
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function checkOption(token: OptionToken, specs: OptionSpecs): void {
  const spec = Object.hasOwn(specs, token.name) ? specs[token.name] : undefined;
  // Each command has --help, which millrace() answers before the command reads its arguments.
  if (token.name === "help") throw new UsageError("--help takes no value.");
  if (spec === undefined) {
    const names = Object.keys(specs);
    const similar = similarTo(token.name, names);
    const hint =
      similar === undefined
        ? `The options are ${names.map((name) => `--${name}`).join(", ")}.`
        : `Did you mean --${similar}?`;
    throw new UsageError(`Unknown option ${token.rawName}. ${hint}`);
  }
  if (spec.type === "boolean") {
    if (token.value !== undefined) throw new UsageError(`${token.rawName} takes no value.`);
    return;
  }
  if (token.value === undefined) throw new UsageError(`${token.rawName} needs a value.`);
  if (token.inlineValue !== true && token.value.startsWith("-") && token.value !== "-") {
    throw new UsageError(
      `${token.rawName} needs a value, but ${token.value} follows. ` +
        `If that is the value, write ${token.rawName}=${token.value}.`,
    );
  }
}
