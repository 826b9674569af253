import { JsonParser, type JsonParserOptions, extract, fast, rawStrings, repair } from "millrace/json";

/** The options of `JsonParser` with words, which print well in the names of tests. */
export interface InWords extends Omit<JsonParserOptions, "extract" | "repair" | "fast"> {
  readonly extract?: "none" | "auto";
  readonly repair?: boolean | "strings";
  readonly fast?: boolean;
}

const plain = process.env["MILLRACE_PLAIN_SCANNER"] === "1";

/** A parser with the short cuts, unless they are turned off. */
export function parserOf(options: InWords = {}): JsonParser {
  return new JsonParser(valuesOf(options));
}

function valuesOf({
  extract: search,
  repair: repairs = false,
  fast: isFast = !plain,
  ...others
}: InWords): JsonParserOptions {
  return {
    ...others,
    ...(isFast && { fast }),
    ...(search === "auto" && { extract }),
    ...(repairs !== false && { repair: repairs === true ? repair : rawStrings }),
  };
}
