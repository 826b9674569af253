import { Kind } from "../../json/build/kinds.js";
import type { Alternative } from "../guard/alternative.js";
import { limitsIn, type Rules } from "../guard/rules.js";

/** Scalars to try for a schema, the best first. Not all of them satisfy it. */
export function likelyScalars({ rules, kinds }: Alternative): (string | number | boolean | null)[] {
  return [
    ...((kinds & Kind.STRING) === 0 ? [] : likelyStrings(rules)),
    ...((kinds & Kind.NUMBER) === 0 ? [] : likelyNumbers(rules)),
    true,
    null,
  ];
}

function likelyStrings(rules: readonly Rules[]): string[] {
  const min = Math.max(1, ...limitsIn(rules, "minLength"));
  const max = Math.min(...limitsIn(rules, "maxLength"));
  const formatted = rules.flatMap(({ format = "" }) => inFormat.get(format) ?? []);
  return min > LONG ? formatted : [...formatted, "text".repeat(Math.ceil(min / 4)).slice(0, max)];
}

function likelyNumbers(rules: readonly Rules[]): number[] {
  const low = Math.max(...limitsIn(rules, "minimum", "exclusiveMinimum"));
  const high = Math.min(...limitsIn(rules, "maximum", "exclusiveMaximum"));
  const step = Math.max(0, ...limitsIn(rules, "multipleOf")) || 1;
  const steps = Math.ceil(Math.max(low, 1) / step);
  const all = [steps * step, low, high, low + step, high - step, (low + high) / 2, 0];
  return all.filter(Number.isFinite).sort((a, b) => Math.abs(a - 1) - Math.abs(b - 1));
}

/** A string of more characters makes no small example. */
const LONG = 200;

const inFormat: ReadonlyMap<string, string> = new Map([
  ["date-time", "2026-01-31T12:00:00Z"],
  ["date", "2026-01-31"],
  ["time", "12:00:00Z"],
  ["duration", "PT5M"],
  ["email", "ada@example.com"],
  ["hostname", "example.com"],
  ["ipv4", "192.0.2.1"],
  ["ipv6", "2001:db8::1"],
  ["uri", "https://example.com/"],
  ["uuid", "123e4567-e89b-42d3-a456-426614174000"],
]);
