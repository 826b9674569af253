import { type Template, template } from "./template.js";
import { textTemplate } from "./values.js";
import type { TextVariables } from "./variables.js";

/** A template for a text. */
export type PromptTemplate<Variables extends object> = Template<Variables, string>;

/**
 * Creates a template for a text. `{name}` is a variable; `{{` and `}}` are literal braces. TypeScript reads the names
 * of the variables from the text, so a missing variable is a compile error. If the text is known only at run time, it
 * is a `PromptError`.
 *
 * Values are inserted unchanged and never parsed as templates, so they may contain braces.
 *
 * @throws {PromptError} `invalid_template` for what is no string, a single brace, or a name that is not a JavaScript identifier
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
  return template(textTemplate(text, "the template"));
}
