import { parseArguments, type OptionSpecs, type ParsedArguments } from "../src/cli/arguments.js";
import { UsageError } from "../src/cli/usage-error.js";

/** What a script was called with. Where that is wrong, the script says so and ends. */
export function scriptArguments<const Specs extends OptionSpecs>(options: Specs): ParsedArguments<Specs> {
  try {
    return parseArguments(process.argv.slice(2), options);
  } catch (error) {
    if (error instanceof UsageError) refuse(error.message);
    throw error;
  }
}

/** Ends the script that was called wrongly, without a stack trace, as it is not the script that failed. */
export function refuse(message: string): never {
  console.error(message);
  process.exit(2);
}
