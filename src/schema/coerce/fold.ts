/** The text without differences of case, of width and of accents. */
export function foldCase(text: string): string {
  return text.trim().normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/**
 * The text also without space and punctuation: `first_name`, `firstName` and `First name` are equal. What may belong to
 * a number or change the meaning stays: `-5` is not `5`, `1.5` not `15`, `!active` not `active`, and `C#` not `C`.
 */
export function foldWords(text: string): string {
  return foldCase(text).replace(between, (run: string, at: number, whole: string) => {
    const before = whole.charAt(at - 1);
    const after = whole.charAt(at + run.length);
    const isInNumber = /\p{N}/u.test(after) && !/\p{L}/u.test(before);
    return isInNumber || (before === "" && run.includes("!")) ? run : "";
  });
}

const between = /[\p{Z}\s_\p{Pd}.,;:'"`’‘“”*()[\]{}/\\!?…]+/gu;
