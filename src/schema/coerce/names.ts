import * as Kind from "../../json/build/kind.js";
import { madeOnce } from "../../tree/made-once.js";
import type { Alternative } from "../guard/alternative.js";
import type { Rules } from "../guard/rules.js";
import type { Shape } from "../guard/shape.js";
import { foldWords } from "./fold.js";

/** Finds the member of a shape that a key means. */
export class Names {
  private readonly declared: ReadonlySet<string>;
  /** The declared keys by their folded form; `undefined` for a form of two keys. */
  private readonly folded = new Map<string, string | undefined>();
  private readonly patterns: readonly ((key: string) => boolean)[];
  private readonly known = new Map<string, string>();

  constructor(alternatives: readonly Alternative[]) {
    const objects = alternatives.filter(({ kinds }) => (kinds & Kind.OBJECT) !== 0).map(({ rules }) => rules);
    const rules = objects.flat();
    this.declared = new Set(rules.flatMap(({ properties, required }) => [...properties.keys(), ...required]));
    this.patterns = rules.flatMap(({ patternProperties }) => patternProperties.map(([matches]) => matches));
    if (!objects.every(declaresAll)) return;
    for (const name of this.declared) {
      const folded = foldWords(name);
      if (folded !== "") this.folded.set(folded, this.folded.has(folded) ? undefined : name);
    }
  }

  /** Returns the declared key that is equal despite case, space and punctuation, or else the key itself. */
  nameOf(key: string): string {
    if (this.folded.size === 0 || this.declared.has(key)) return key;
    let name = this.known.get(key);
    if (name !== undefined) return name;
    const isNamed = this.patterns.some((matches) => matches(key));
    name = (isNamed || key.length > MAX_LENGTH ? undefined : this.folded.get(foldWords(key))) ?? key;
    if (this.known.size < MAX_KEYS) this.known.set(key, name);
    return name;
  }
}

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

export const namesOf: (shape: Shape) => Names = madeOnce(({ alternatives }) => new Names(alternatives));

/** Whether an object of this alternative may be without a declared member. */
export function isOptional({ rules }: Alternative, name: string): boolean {
  return (
    rules.some(({ properties }) => properties.has(name)) &&
    !rules.some(({ required }) => required.includes(name))
  );
}
