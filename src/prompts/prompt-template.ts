import { readTemplate } from "./read-template.js";
import { type Template, template } from "./template.js";
import { renderText } from "./values.js";
import type { TextVariables } from "./variables.js";

/** A text with variables. */
export type PromptTemplate<Variables extends object> = Template<Variables, string>;

/**
 * A text with variables: `{name}` is one, `{{` and `}}` are braces. The compiler reads the names out of the text, so that
 * a variable that is left out is a compile error, and a `PromptError` where the text is known only at run time.
 *
 * Values are put in as they are and never read as a template again, so that a value with braces does no harm.
 *
 * @throws {PromptError} `invalid_template` for a single brace, and for what is no name (as in JavaScript) between two
 *
 * @example
 * ```ts
 * import { promptTemplate } from "millrace";
 *
 * const prompt = promptTemplate('Describe {city} as JSON: {{"name": …}}. At most {words} words.');
 * console.log(prompt.variables); // ["city", "words"]
 * console.log(prompt.format({ city: "Oslo", words: 20 }));
 * console.log(prompt.partial({ words: 5 }).format({ city: "{Rome}" }));
 * ```
 */
export function promptTemplate<const Text extends string>(text: Text): PromptTemplate<TextVariables<Text>> {
  const read = readTemplate(text, "The template");
  const names = read.segments.flatMap((segment) => (typeof segment === "string" ? [] : [segment.name]));
  return template(names, (values) => renderText(read, values));
}
