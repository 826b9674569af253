import { PromptError } from "../../prompts/errors.js";
import { promptTemplate } from "../../prompts/prompt-template.js";
import { UsageError } from "../terminal/usage-error.js";
import { columnNames, type InputDocument } from "./inputs/document.js";

/** The prompt for each document. */
export interface ExtractPrompt {
  readonly template: string;
  /** The prompt, or the reason why the document has no prompt: a sentence without its subject. */
  of(document: InputDocument): { readonly prompt: string } | { readonly problem: string };
}

export const defaultPrompt = "Extract the data from this text.\n\n{text}";

/** @throws {UsageError} if the template is invalid */
export function documentPrompt(template: string): ExtractPrompt {
  const read = readTemplate(template);
  return {
    template,
    of({ text, place, columns }) {
      const values: Record<string, string> = { text, place, ...columns };
      const missing = read.variables.find((name) => !Object.hasOwn(values, name));
      if (missing === undefined) return { prompt: read.format(values) };
      const known =
        Object.keys(columns).length === 0
          ? "It is a text: use {text}"
          : `Its columns are ${columnNames(columns)}`;
      return { problem: `has no column "${missing}", which the prompt uses. ${known}.` };
    },
  };
}

function readTemplate(template: string): ReturnType<typeof promptTemplate<string>> {
  try {
    return promptTemplate(template);
  } catch (cause) {
    if (!(cause instanceof PromptError)) throw cause;
    throw new UsageError(`--prompt: ${cause.message}`, { cause });
  }
}
