/** The base of a document without an id. Relative references resolve against it. */
export const noBase = "json-schema:/";

/** Resolves a reference against a base. Returns it unchanged if it cannot be resolved. */
export function resolve(reference: string, base: string): string {
  try {
    return new URL(reference, base).href;
  } catch {
    return reference;
  }
}

/** Splits a reference into the URI of a document and the decoded fragment. */
export function splitFragment(reference: string): [uri: string, fragment: string] {
  const at = reference.indexOf("#");
  return at < 0 ? [reference, ""] : [reference.slice(0, at), decoded(reference.slice(at + 1))];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
