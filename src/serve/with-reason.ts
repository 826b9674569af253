import { excerpt, messageOf } from "../text/excerpt.js";
import { Redactor } from "../text/redactor.js";
import { textFieldOf } from "../text/thrown.js";

/**
 * Adds the reason of a failure to the words that users read, if `NODE_ENV` is `development`: the name, the code and the
 * message of the error. Without `NODE_ENV`, it is production.
 *
 * Secrets of the environment and the passwords of URLs are removed from the message. The stack is never shown.
 *
 * For example, "The model cannot be reached. Please try again later." gets a second line: "In development: ModelError
 * network: No response from 127.0.0.1:11434/api/chat: … Is Ollama running?"
 */
export function withReason(words: string, error: unknown): string {
  const variables = developerVariables();
  if (variables === undefined) return words;
  const kind = [textFieldOf(error, "name"), textFieldOf(error, "code")]
    .filter((part) => part !== "")
    .join(" ");
  const secrets = Object.entries(variables).map(([key, value]) =>
    secretName.test(key) ? String(value) : "",
  );
  const reason = excerpt(`${kind === "" ? "" : `${kind}: `}${messageOf(error)}`, maxReason);
  return `${words}\nIn development: ${new Redactor(secrets).redact(reason.replace(urlPassword, "//[key]@"))}`;
}

const maxReason = 1_000;
const urlPassword = /\/\/[^\s/@]+@/g;
const secretName = /(?:KEY|TOKEN|SECRET|PASSWORD)$/i;

declare const process: { readonly env: Variables & { readonly NODE_ENV?: string } };

type Variables = Readonly<Record<string, string | undefined>>;

/** The variables of the environment. `undefined` in production. */
function developerVariables(): Variables | undefined {
  try {
    // As it is here, because bundlers replace this expression.
    if (process.env.NODE_ENV !== "development") return undefined;
    return process.env;
  } catch {
    return undefined; // a platform without `process`
  }
}
