/** By the names of a server and a model. Mistral's tokenizer refuses other ids, on any server. */
export function isMistral(names: string): boolean {
  return /(?:mis|minis|magis|codes|devs|mix|pix|vox)tral/i.test(names);
}

/** "Tool call id was … but must be a-z, A-Z, 0-9, with a length of 9." */
export function mistralId(id: string): string {
  return /^[a-zA-Z0-9]{9}$/.test(id) ? id : shortId(id);
}

/** An id of at most this many characters: "Expected a string with maximum length 40" (OpenAI). */
export function idWithin(id: string, length: number): string {
  return id !== "" && id.length <= length ? id : `${id.slice(0, length - 10)}_${shortId(id)}`;
}

/** An id that every server takes but Mistral's: letters, digits, `_` and `-`, at most 40 of them. */
export function plainId(id: string): string {
  if (/^[\w-]{1,40}$/.test(id)) return id;
  return `${id.slice(0, 30).replace(/[^\w-]/g, "_")}_${shortId(id)}`;
}

/** Nine letters and digits for a text, always the same ones. Two texts have different ones, but for bad luck. */
function shortId(text: string): string {
  let a = 0x811c9dc5;
  let b = 0x2545f491;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code ^ (a >>> 13), 0x5bd1e995);
  }
  const number = (a >>> 0) * 2 ** 20 + (b >>> 12);
  return number.toString(36).padStart(9, "0").slice(-9);
}
