/** Texts of repair suites that we read otherwise than their authors, and why. The names are those of `--list`. */
export const reasons: Readonly<Record<string, string>> = {};
