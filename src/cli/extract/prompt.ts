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

const defaultPrompt = "Extract the data from this text.\n\n{text}";

/**
 * @param userTemplate the template of the user; without one, the prompt has the text of a document, or its row as JSON
 * @param hasColumns whether a document may have columns
 * @throws {UsageError} if the template is invalid, or if no document can have a prompt of its own
 */
export function documentPrompt(userTemplate: string | undefined, hasColumns: boolean): ExtractPrompt {
  const template = userTemplate ?? defaultPrompt;
  const read = readTemplate(template);
  if (read.variables.length === 0) {
    throw new UsageError(
      "--prompt has no placeholder, so every document would get the same prompt. " +
        "Add {text}, or {column} for a column.",
    );
  }
  const unknown = hasColumns ? undefined : read.variables.find((name) => name !== "text" && name !== "place");
  if (unknown !== undefined) {
    throw new UsageError(
      `--prompt uses {${unknown}}, but text files have no columns. Use {text}, or {place} for the path.`,
    );
  }
  return {
    template,
    of({ text, place, columns }) {
      const values: Record<string, string> =
        userTemplate === undefined ? { text } : { text, place, ...columns };
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
