/** Ends the text with a full stop: messages of schema libraries may lack one. */
export function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
