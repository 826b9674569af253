import * as format from "typebox/format";

/** The formats that are checked. All others are ignored, as JSON Schema asks. */
export const formats: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ["date", format.IsDate],
  // RFC 3339 also allows a space between date and time.
  ["date-time", (text) => format.IsDateTime(text.replace(/^([\d-]{10}) /, "$1T"))],
  ["duration", format.IsDuration],
  ["email", format.IsEmail],
  ["hostname", format.IsHostname],
  ["idn-email", format.IsIdnEmail],
  ["idn-hostname", format.IsIdnHostname],
  ["ipv4", format.IsIPv4],
  ["ipv6", format.IsIPv6],
  ["iri", format.IsIri],
  ["iri-reference", format.IsIriReference],
  ["json-pointer", format.IsJsonPointer],
  ["json-pointer-uri-fragment", format.IsJsonPointerUriFragment],
  ["regex", format.IsRegex],
  ["relative-json-pointer", format.IsRelativeJsonPointer],
  ["time", (text) => format.IsTime(text)],
  ["uri", format.IsUri],
  ["uri-reference", format.IsUriReference],
  ["uri-template", format.IsUriTemplate],
  ["url", format.IsUrl],
  ["uuid", format.IsUuid],
]);
