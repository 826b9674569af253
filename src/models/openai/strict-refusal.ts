import { ModelError } from "../errors.js";

/** The error for what stands at a JSON Pointer, in words that follow on "at /a/b ". */
export type Refuse = (pointer: string, problem: string) => ModelError;

/** @param subject what the schema belongs to: `the tool "weather"` */
export function refusalOf(subject: string): Refuse {
  return (pointer, problem) =>
    new ModelError(
      "invalid_request",
      `The schema of ${subject} cannot be expressed in OpenAI's strict mode: at ` +
        `${pointer === "" ? "its root" : pointer} ${problem}. With strict: false it goes as it is, as a wish.`,
    );
}
