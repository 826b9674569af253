/** The beginning of a text, with "…" if the rest was cut off. Never ends with half a surrogate pair. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${beginning(text, length)}…`;
}

/** A foreign text in quotes, for an error message. */
export function quoted(text: string, length = 100): string {
  return JSON.stringify(beginning(text, length)) + (text.length <= length ? "" : "…");
}

/** Ends the text with a full stop: messages of schema libraries may lack one. */
export function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** A text about a failure for a model. It may quote what the model or a tool wrote at any length. */
export function textForModel(text: string): string {
  return cut(text, 10_000);
}

/** The beginning of a text, without half a surrogate pair at its end. */
export function beginning(text: string, length: number): string {
  const splitsPair = /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(length - 1, length + 1));
  return text.slice(0, splitsPair ? length - 1 : length);
}
