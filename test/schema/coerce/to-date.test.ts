import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toDate, toDateTime } from "#src/schema/coerce/to-date.js";

describe("toDate()", () => {
  test.each([
    ["2024-03-05", "2024-03-05"],
    ["2024/3/5", "2024-03-05"],
    ["2024.03.05", "2024-03-05"],
    ["13.02.2024", "2024-02-13"],
    ["02/13/2024", "2024-02-13"],
    ["05/05/2024", "2024-05-05"],
    ["March 5, 2024", "2024-03-05"],
    ["Mar. 5th, 2024", "2024-03-05"],
    ["5 march 2024", "2024-03-05"],
    ["the 5th of March 2024".slice(4), "2024-03-05"],
    ["Tuesday, 5 March 2024", "2024-03-05"],
    ["Tue Mar 5, 2024", "2024-03-05"],
    ["29 Feb 2024", "2024-02-29"],
  ])("reads %j as %s", (text, date) => {
    expect(toDate(text)).toBe(date);
  });

  test.each([
    ["can be read in two ways", "03/04/2024"],
    ["can be read in two ways, with dots", "03.04.2024"],
    ["has a year of two digits", "13/02/24"],
    ["does not exist", "30.02.2024"],
    ["has no such month", "13/13/2024"],
    ["is on another weekday", "Monday, 5 March 2024"],
    ["has two separators", "2024-03/05"],
    ["has an unknown month", "5 Mar­z 2024"],
    ["has a month that may be another", "5 Ju 2024"],
    ["has no day", "March 2024"],
    ["is relative", "tomorrow"],
    ["is too long", `${" ".repeat(100)}x 2024-03-05`],
  ])("does not read a date that %s", (_, text) => {
    expect(toDate(text)).toBeUndefined();
  });

  test("reads what English, German and Japanese write, unless it is ambiguous", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date("1000-01-01"), max: new Date("9999-12-31"), noInvalidDate: true }),
        (date) => {
          const iso = date.toISOString().slice(0, 10);
          const written = (locale: string, dateStyle: "full" | "long" | "medium" | "short"): string =>
            new Intl.DateTimeFormat(locale, { dateStyle, timeZone: "UTC" }).format(date);
          expect(toDate(written("en-US", "full"))).toBe(iso);
          expect(toDate(written("en-US", "medium"))).toBe(iso);
          expect(toDate(written("en-GB", "long"))).toBe(iso);
          expect([iso, undefined]).toContain(toDate(written("de", "medium")));
          expect(toDate(written("ja", "medium"))).toBe(iso);
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe("toDateTime()", () => {
  test.each([
    ["2024-03-05 14:30 UTC", "2024-03-05T14:30:00Z"],
    ["2024-03-05T14:30:00+0100", "2024-03-05T14:30:00+01:00"],
    ["2024-03-05 9:05:07.25Z", "2024-03-05T09:05:07.25Z"],
    ["5 March 2024, 9:05 GMT", "2024-03-05T09:05:00Z"],
  ])("reads %j as %s", (text, moment) => {
    expect(toDateTime(text)).toBe(moment);
  });

  test.each([
    ["no time zone", "2024-03-05 14:30"],
    ["no time", "2024-03-05"],
    ["an ambiguous date", "03/04/2024 14:30 UTC"],
  ])("does not read %s", (_, text) => {
    expect(toDateTime(text)).toBeUndefined();
  });
});
