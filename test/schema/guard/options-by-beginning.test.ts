import fc from "fast-check";
import { JsonParser } from "millrace/json";
import { guardOf, SchemaViolation } from "millrace/schema";
import { expect, test } from "vitest";
import { runs } from "../../json/support/runs.js";

const letters = fc.string({ unit: fc.constantFrom("a", "b", "~", "é", "\u{1F600}", "\uFFFD"), maxLength: 5 });
const options = fc.array(fc.oneof(letters, fc.integer(), fc.constant(null)), { minLength: 1, maxLength: 30 });

/** The characters of a string that a guard has read when it refuses it. */
function readUntilRefused(allowed: readonly unknown[], text: string): number {
  const parser = new JsonParser({ guard: guardOf({ enum: allowed }) });
  parser.write('"');
  for (const [i, character] of Array.from(text).entries()) {
    try {
      parser.write(character);
    } catch (error) {
      expect(error).toBeInstanceOf(SchemaViolation);
      return i;
    }
  }
  return Infinity;
}

test("an enum refuses a string at the first character with which no option begins", () => {
  fc.assert(
    fc.property(options, letters, (allowed, text) => {
      const characters = Array.from(text);
      const first = characters.findIndex((_, i) => {
        const beginning = characters.slice(0, i + 1).join("");
        return !allowed.some((option) => typeof option === "string" && option.startsWith(beginning));
      });
      // Without a string, the kind is refused at the quote.
      fc.pre(allowed.some((option) => typeof option === "string"));
      expect(readUntilRefused(allowed, text)).toBe(first < 0 ? Infinity : first);
    }),
    { numRuns: runs },
  );
});
