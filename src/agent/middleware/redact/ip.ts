import type { DetectedText, Detector } from "./detector.js";

/**
 * IP addresses: version 4 as four decimal numbers, and version 6 in all its forms. Addresses of version 6 without a
 * digit, such as `::`, do not count, because code has many texts of this form (`a::b`).
 */
export const ip: Detector = Object.assign(
  function* ip(run: string): Generator<DetectedText, void, undefined> {
    for (const { index, 0: address } of run.matchAll(version4))
      if (isVersion4(address)) yield { index, 0: address };
    for (const { index, 0: text } of run.matchAll(version6)) {
      // A full stop or a colon may follow the address.
      const address = [text, text.replace(/\.+$/, ""), text.replace(/[.:]+$/, "")].find(isVersion6);
      if (address !== undefined) yield { index, 0: address };
    }
  },
  { characters: /[\w:.]/, maxLength: 45 },
);

const version4 = /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?!\w|\.\d)/g;
const version6 = /(?<![\w.])(?:::|[\da-f]{1,4}:)[\da-f:.]*(?!\w)/gi;

function isVersion4(text: string): boolean {
  return text.split(".").every((part) => Number(part) < 256);
}

function isVersion6(text: string): boolean {
  // The last 32 bits may be written as an address of version 4.
  const [v4] = /(?<=:)\d{1,3}(?:\.\d{1,3}){3}$/.exec(text) ?? [];
  if (!/\d/.test(text) || (v4 !== undefined && !isVersion4(v4))) return false;
  const halves = (v4 === undefined ? text : `${text.slice(0, -v4.length)}0:0`).split("::");
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")));
  const isWhole = halves.length === 1 ? groups.length === 8 : halves.length === 2 && groups.length < 8;
  return isWhole && groups.every((group) => /^[\da-f]{1,4}$/i.test(group));
}
