import { cut } from "../../text/cut.js";

/**
 * Makes untrusted text safe to show on a terminal. Control characters, which could move the cursor or rewrite the
 * screen, and bidirectional marks become visible symbols. Line breaks stay.
 */
export function printable(text: string): string {
  return text.replace(/\r\n/g, "\n").replaceAll("\t", "  ").replace(unprintable, symbolFor);
}

const unprintable = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

function symbolFor(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code); // the block "Control Pictures"
  return code === 0x7f ? "\u2421" : "\ufffd";
}

/** The same for a message of one line, which is cut after 500 characters. */
export function printableLine(text: string): string {
  return printable(cut(text, 500)).replaceAll("\n", "\u240a");
}

/** Escapes in JSON what {@link printable} replaces. The value stays the same. */
export function printableJson(json: string): string {
  return json.replace(
    unprintable,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
