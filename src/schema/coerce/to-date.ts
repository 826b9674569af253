import { lazyPattern } from "../../text/lazy-pattern.js";
import { wordsIn } from "../../text/words-in.js";

/**
 * The date that a text means, as `YYYY-MM-DD`: `2024/3/5`, `13.02.2024`, `March 5, 2024`. `undefined` if it is not a
 * date, or can be read in two ways (`03/04/2024`).
 */
export function toDate(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  return datePatterns.map((read) => read(text.trim())).find((date) => date !== undefined);
}

/**
 * The moment that a text means, as in RFC 3339: `2024-03-05 14:30 UTC`. `undefined` without a time zone, which would be
 * a guess.
 */
export function toDateTime(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const found = timePattern.exec(text.trim());
  if (found === null) return undefined;
  const [, day = "", hour = "", minute = "", second = "00", fraction = "", zone = ""] = found;
  const date = toDate(day);
  if (date === undefined) return undefined;
  const offset = /^(?:z|utc|gmt)$/i.test(zone) ? "Z" : zone.replace(/^(...):?(..)$/, "$1:$2");
  return `${date}T${hour.padStart(2, "0")}:${minute}:${second}${fraction}${offset}`;
}

const MAX_LENGTH = 60;

const timePattern =
  /^(.+?)(?:\s*,\s*|\s+|T)(\d{1,2}):(\d\d)(?::(\d\d)(\.\d{1,9})?)?\s*(Z|UTC|GMT|[+-]\d\d:?\d\d)$/i;

/** `Monday, 5th of March 2024`, `March 5, 2024` */
const inWords = lazyPattern(
  String.raw`^(?:(\p{L}+)\.?,? )?(?:(\d{1,2})(?:st|nd|rd|th)? (?:of )?(\p{L}+)\.?|(\p{L}+)\.? (\d{1,2})(?:st|nd|rd|th)?),? (\d{4})$`,
  "iu",
);

const datePatterns: readonly ((text: string) => string | undefined)[] = [
  (text) => {
    const [, year, , month, day] = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/.exec(text) ?? [];
    return isoDate(year, month, day);
  },
  (text) => {
    const [, first, , second, year] = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})$/.exec(text) ?? [];
    const readings = [isoDate(year, first, second), isoDate(year, second, first)];
    const [date, other = date] = readings.filter((reading) => reading !== undefined);
    return date === other ? date : undefined;
  },
  (text) => {
    const [, weekday, dayBefore, monthAfter, month = monthAfter, day = dayBefore, year] =
      inWords().exec(text) ?? [];
    return onWeekday(weekday, isoDate(year, monthNamed(month), day));
  },
];

function isoDate(
  year: string | undefined,
  month: string | undefined,
  day: string | undefined,
): string | undefined {
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const iso = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const date = new Date(`${iso}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) ? iso : undefined;
}

/** A date on another weekday than the text says is a contradiction. */
function onWeekday(name: string | undefined, date: string | undefined): string | undefined {
  if (date === undefined || name === undefined) return date;
  const weekday = indexOf(weekdays, name);
  return weekday === new Date(`${date}T00:00:00Z`).getUTCDay() ? date : undefined;
}

function monthNamed(name: string | undefined): string | undefined {
  const index = name === undefined ? -1 : indexOf(months, name);
  return index < 0 ? undefined : String(index + 1);
}

/** The index of a name that is written out or shortened to three letters or more. */
function indexOf(names: readonly string[], name: string): number {
  return name.length < 3 ? -1 : names.findIndex((it) => it.startsWith(name.toLowerCase()));
}

const months = wordsIn(
  "january february march april may june july august september october november december",
);
const weekdays = wordsIn("sunday monday tuesday wednesday thursday friday saturday");
