/** Writes the digits of other scripts, and the signs of numbers in full width, in ASCII: `１２．５`, `٣٫٥`. */
export function withPlainDigits(text: string): string {
  if (!/[^\0-~]/.test(text)) return text;
  return text.replace(other, (sign) => {
    const code = sign.charCodeAt(0);
    const zero = zeros.find((it) => code >= it && code < it + 10);
    if (zero !== undefined) return String(code - zero);
    return plain[sign] ?? String.fromCharCode(code - fullWidth);
  });
}

/** Full width, Arabic, Persian, Hindi. */
const zeros = [0xff10, 0x660, 0x6f0, 0x966];
const fullWidth = 0xfee0;
const plain: Readonly<Record<string, string>> = {
  "\u066b": ".",
  "\u066c": ",",
  "\u066a": "%",
  "\u2212": "-",
};
const other = /[\uff05\uff0b-\uff0e\uff10-\uff19\u0660-\u066c\u06f0-\u06f9\u0966-\u096f\u2212]/gu;
