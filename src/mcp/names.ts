/**
 * The name of a tool for models, which accept 1 to 64 letters, digits, `_` and `-`. A name that is not changed is kept.
 * Any other gets a hash of the whole name at its end, so it does not depend on other tools or servers, and two names
 * that look the same after the change stay two.
 *
 * @example `safeName("files.read", undefined)` is `files_read_` and eight characters.
 */
export function safeName(name: string, prefix: string | undefined): string {
  const whole = prefix === undefined ? name : `${prefix}_${name}`;
  if (/^[\w-]{1,64}$/.test(whole)) return whole;
  const readable = whole.slice(0, 200).replaceAll(/[^\w-]+/g, "_");
  return `${readable.slice(0, 55)}_${hashOf(whole)}`;
}

/** A hash of 32 bits (FNV-1a over the UTF-16 code units) in eight hexadecimal digits. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, "0");
}
