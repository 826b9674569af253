import { quoted } from "../../text/cut.js";

/** @throws {RangeError} if the locale is not a BCP 47 tag */
export function checkLocale(locale: string | undefined): void {
  if (locale === undefined) return;
  try {
    Intl.getCanonicalLocales(locale);
  } catch (cause) {
    throw new RangeError(
      `Expected locale to be a BCP 47 tag such as "de" or "en-US", but got ${quoted(locale)}.`,
      { cause },
    );
  }
}
