import * as Kind from "../../json/build/kind.js";
import { madeOnce } from "../../tree/made-once.js";
import { type Alternative, ofKind } from "../guard/alternative.js";
import type { Rules } from "../guard/rules.js";
import type { Shape } from "../guard/shape.js";
import { foldWords } from "./fold.js";

/** Finds the declared key that is equal to one despite case, space and punctuation, or else returns that one itself. */
export function declaredName(shape: Shape, key: string): string {
  return namesOf(shape)(key);
}

const namesOf = madeOnce(({ alternatives }: Shape): ((key: string) => string) => {
  const objects = ofKind(alternatives, Kind.OBJECT).map(({ rules }) => rules);
  const rules = objects.flat();
  const declared = new Set(rules.flatMap(({ properties, required }) => [...properties.keys(), ...required]));
  const patterns = rules.flatMap(({ patternProperties }) => patternProperties.map(([matches]) => matches));
  /** The declared keys by their folded form; `undefined` for a form of two keys. */
  const byForm = new Map<string, string | undefined>();
  for (const name of objects.every(declaresAll) ? declared : []) {
    const form = foldWords(name);
    if (form !== "") byForm.set(form, byForm.has(form) ? undefined : name);
  }
  const known = new Map<string, string>();
  return (key) => {
    if (byForm.size === 0 || declared.has(key)) return key;
    let name = known.get(key);
    if (name !== undefined) return name;
    const isNamed = patterns.some((matches) => matches(key));
    name = (isNamed || key.length > MAX_LENGTH ? undefined : byForm.get(foldWords(key))) ?? key;
    if (known.size < MAX_KEYS) known.set(key, name);
    return name;
  };
});

const MAX_KEYS = 1_000;
const MAX_LENGTH = 1_000;

/** Whether an object has the declared members and no others. Where others are expected, a key may be one of those. */
function declaresAll(rules: readonly Rules[]): boolean {
  return (
    rules.some(({ properties }) => properties.size > 0) &&
    rules.every(
      ({ additionalProperties: others, propertyNames }) =>
        (others === undefined || others === false) && propertyNames === undefined,
    )
  );
}

/** Whether an object of this alternative may be without a declared member. */
export function isOptional({ rules }: Alternative, name: string): boolean {
  return (
    rules.some(({ properties }) => properties.has(name)) &&
    !rules.some(({ required }) => required.includes(name))
  );
}
