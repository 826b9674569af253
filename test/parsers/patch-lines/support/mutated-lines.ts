import { isDeepStrictEqual } from "node:util";
import type { JsonValue, PatchLineError } from "millrace";
import { int, list, pick, type Random } from "../../../support/random.js";

/** A SpecStream of ten elements, one a line, of which about three have a mistake. */
export interface MutatedStream {
  readonly text: string;
  readonly elements: readonly MutatedElement[];
}

export interface MutatedElement {
  readonly key: string;
  readonly value: JsonValue;
  readonly isChanged: boolean;
  /** Where its line begins, and where the next one does. */
  readonly start: number;
  readonly end: number;
}

/**
 * - `right`, `wrong`: it is there, with its value or another one
 * - `elsewhere`: the mistake is in its path, which names another place now, and its value is there
 * - `reported`: it is not there, and an error has the offset of its line
 */
export type Outcome = "right" | "wrong" | "elsewhere" | "reported" | "silent";

export function mutatedStream(random: Random): MutatedStream {
  const lines: string[] = [];
  let start = 0;
  const elements = list(10, (i): MutatedElement => {
    const text = `Step ${i}: "boil" ${int(random, 1, 99)} it`;
    const props = { text, size: int(random, 1, 9), tags: ["a", "b"] };
    const key = `e${i}`;
    const value = { type: "Text", props, children: [] };
    const line = JSON.stringify({ op: "add", path: `/elements/${key}`, value });
    const isChanged = random() < 0.3;
    const written = isChanged ? mutated(line, random) : line;
    lines.push(`${written}\n`);
    return { key, value, isChanged, start, end: (start += written.length + 1) };
  });
  return { text: lines.join(""), elements };
}

/** One mistake, as a model makes it or at a random character. */
function mutated(line: string, by: Random): string {
  const at = int(by, 1, line.length - 2);
  switch (int(by, 0, 6)) {
    case 0:
      return line.slice(0, at) + line.slice(at + 1);
    case 1:
      return line.slice(0, at) + pick(by, '{}[]",:\\') + line.slice(at);
    case 2:
      return line.slice(0, at) + pick(by, 'x"}],') + line.slice(at + 1);
    case 3:
      return line.slice(0, -1);
    case 4:
      return line.replaceAll('"', "'").replaceAll("\\'", '\\"');
    case 5:
      return line.replace(',"children"', ',,"children"').replace(/\}$/, ",}");
    default:
      return line.replace('{"op"', "{op").replace('"value"', "value");
  }
}

export function outcomeOf(
  { key, value, start, end }: MutatedElement,
  spec: unknown,
  errors: readonly PatchLineError[] = [],
): Outcome {
  const { elements = {}, ...others } = Object(spec) as Readonly<Record<string, unknown>>;
  const found = (elements as Readonly<Record<string, unknown>>)[key];
  if (found !== undefined) return isDeepStrictEqual(found, value) ? "right" : "wrong";
  if (errors.some(({ offset }) => offset >= start && offset < end)) return "reported";
  const places = [...Object.entries(elements as object), ...Object.entries(others)];
  const moved = places.some(([name, it]) => !/^e\d$/.test(name) && isDeepStrictEqual(it, value));
  return moved ? "elsewhere" : "silent";
}
