import * as Kind from "../../json/build/kind.js";
import { getOrInsert } from "../../tree/made-once.js";
import { anything, both, either, type Alternative } from "./alternative.js";
import type { WholeValues } from "../interpreter/interpreter.js";
import type { Check } from "../keywords/keywords.js";
import type { Expansion } from "./expansion.js";
import { problemOfScalar } from "./problems.js";
import type { Rules } from "./rules.js";

/** The shape of a member or element, in relation to its container. */
export interface Child {
  readonly shape: Shape;
  /** For each alternative of the child, the alternatives of the container that it belongs to. */
  readonly parents: readonly (readonly number[])[];
  /** The alternatives of the container that allow this child; `undefined` if all do. */
  readonly allowedBy: readonly number[] | undefined;
}

/** The alternatives of a child that belong to one of these of its container. */
export function childrenIn({ parents, shape }: Child, containers: readonly number[]): readonly number[] {
  return shape.all.filter((index) => containers.some((parent) => parents[index]?.includes(parent)));
}

/** Those of `containers` to which one of these alternatives of the child belongs. */
export function parentsOf(
  { parents }: Child,
  children: readonly number[],
  containers: readonly number[],
): readonly number[] {
  return containers.filter((parent) => children.some((index) => parents[index]?.includes(parent)));
}

/**
 * The schema of a value: its alternatives, and the shapes of its members and elements. Equal lists of alternatives
 * share one shape, so a recursive schema has a finite number of shapes at any depth of the document.
 *
 * The union of `{kind: "a", n: number}` and `{kind: "b"}` is a shape with two alternatives, 0 and 1. Its member `kind` is
 * a `Child`: a shape with the alternatives `"a"` and `"b"`, whose `parents` are `[[0], [1]]`. When the text `{"kind": "b"`
 * has left only `"b"` of the child, `parentsOf()` leaves only 1 of the object, so the member `n` is an unknown one.
 */
export class Shape {
  readonly alternatives: readonly Alternative[];
  readonly all: readonly number[];
  /** The members that the schema names. */
  readonly named: ReadonlySet<string>;
  readonly countsKeys: boolean;
  /** Whether there is an upper bound on members or elements. */
  readonly limitsParts: boolean;
  /** Whether there is an upper bound on the code points of a string. */
  readonly limitsText: boolean;
  /** Whether the interpreter checks complete values. */
  readonly interprets: boolean;
  /** Whether there are rules for a string besides its type. */
  readonly checksText: boolean;

  private readonly shapes: Shapes;
  private readonly members = new Map<string, Child>();
  private readonly elements: Child[] = [];
  /** Shared by the members that `properties` does not name, if no other rule depends on their names. */
  private others: Child | undefined;
  private readonly namesMatter: boolean;
  private readonly tupleLength: number;
  private cachedDiscriminators: readonly string[] | undefined;
  private readonly awaited: readonly (readonly string[])[];

  constructor(alternatives: readonly Alternative[], shapes: Shapes) {
    this.alternatives = alternatives;
    this.shapes = shapes;
    this.all = alternatives.map((_, index) => index);
    const rules = alternatives.flatMap((alternative) => alternative.rules);
    this.limitsParts = rules.some((each) => [...each.arrays, ...each.objects].some(isUpperBound));
    this.interprets = alternatives.some(({ interpreted }) => interpreted.length > 0);
    this.checksText =
      alternatives.some(({ wholeScalars }) => wholeScalars) ||
      this.interprets ||
      rules.some(({ scalars }) => scalars.length > 0);
    this.limitsText = rules.some(({ texts }) => texts.some(isUpperBound));
    this.countsKeys = rules.some(({ objects }) => objects.some(({ keyword }) => keyword !== "required"));
    this.awaited = alternatives.map((alternative) => shapes.awaitedBy(alternative));
    this.named = new Set(rules.flatMap(({ required, properties }) => [...required, ...properties.keys()]));
    this.namesMatter = rules.some((each) => each.patternProperties.length > 0 || limitsNames(each));
    this.tupleLength = Math.max(0, ...rules.map(({ prefixItems }) => prefixItems.length));
  }

  at(index: number): Alternative {
    return this.alternatives[index] as Alternative;
  }

  /** Whether the schema names this key, or leaves the keys open. */
  expects(key: string): boolean {
    return this.named.size === 0 || this.namesMatter || this.named.has(key);
  }

  /** Do these alternatives allow no container but a list, and no container in it? */
  expectsList(live: readonly number[]): boolean {
    return (
      live.every((index) => (this.at(index).kinds & containers) === Kind.ARRAY) &&
      this.element(0).shape.alternatives.every(({ kinds }) => (kinds & containers) === 0)
    );
  }

  /** Does any text satisfy each of these alternatives? */
  allowsAnyText(live: readonly number[]): boolean {
    const allowsText = (index: number): boolean => (this.at(index).kinds & Kind.STRING) !== 0;
    return !this.checksText && live.length > 0 && live.every(allowsText);
  }

  member(key: string): Child {
    let child = this.members.get(key);
    if (child !== undefined) return child;
    if (!this.namesMatter && !this.named.has(key)) return (this.others ??= this.childOf(otherSchemas));
    child = this.childOf((rules) => this.memberSchemas(rules, key));
    if (this.members.size < MAX_KEYS) this.members.set(key, child);
    return child;
  }

  element(index: number): Child {
    const place = Math.min(index, this.tupleLength);
    return (this.elements[place] ??= this.childOf(({ prefixItems, items }) => [
      place < prefixItems.length ? prefixItems[place] : items,
    ]));
  }

  /** The members that an object of this alternative waits for: `stream: "required"`. */
  awaitedBy(index: number): readonly string[] {
    return this.awaited[index] as readonly string[];
  }

  /** The discriminators of a union: members that each object requires, with a `const` or `enum` in each. */
  get discriminators(): readonly string[] {
    return (this.cachedDiscriminators ??= this.findDiscriminators());
  }

  private findDiscriminators(): readonly string[] {
    const objects = this.alternatives.filter(({ kinds }) => (kinds & Kind.OBJECT) !== 0);
    const [first] = objects;
    if (first === undefined || objects.length < 2) return [];
    return requiredBy(first).filter((key) =>
      objects.every(
        (object) => requiredBy(object).includes(key) && this.childrenOf(object, key).every(isNamedValue),
      ),
    );
  }

  private childrenOf({ rules }: Alternative, key: string): readonly Alternative[] {
    return this.shapes.allOf(rules.flatMap((each) => this.memberSchemas(each, key)));
  }

  /** `additionalProperties` applies to members that neither `properties` nor `patternProperties` names. */
  private memberSchemas(rules: Rules, key: string): unknown[] {
    const schemas: unknown[] = rules.patternProperties
      .filter(([matches]) => matches(key))
      .map(([, schema]) => schema);
    if (rules.properties.has(key)) schemas.push(rules.properties.get(key));
    if (schemas.length === 0) schemas.push(rules.additionalProperties);
    if (limitsNames(rules) && !this.shapes.allowsName(rules.propertyNames, key)) schemas.push(false);
    return schemas;
  }

  private childOf(schemasOf: (rules: Rules) => readonly unknown[]): Child {
    const found = new Map<string, { readonly alternative: Alternative; readonly parents: number[] }>();
    const allowedBy = new Set<number>();
    this.alternatives.forEach(({ rules }, index) => {
      for (const alternative of this.shapes.allOf(rules.flatMap(schemasOf))) {
        allowedBy.add(index);
        const known = found.get(alternative.id);
        if (known === undefined) found.set(alternative.id, { alternative, parents: [index] });
        else known.parents.push(index);
      }
    });
    const children = [...found.values()];
    const bounded = either([children.map(({ alternative }) => alternative)]);
    return {
      shape: this.shapes.shapeOf(bounded),
      parents: bounded.length === children.length ? children.map(({ parents }) => parents) : [this.all],
      allowedBy: allowedBy.size === this.alternatives.length ? undefined : [...allowedBy],
    };
  }
}

const containers = Kind.ARRAY | Kind.OBJECT;

/** The shapes of one schema, each created once. */
export class Shapes {
  readonly root: Shape;
  /** Creates what decides about complete values, for one document. */
  readonly wholeValues: () => WholeValues | undefined;
  private readonly expansion: Expansion;
  private readonly byAlternatives: Map<string, Shape>;

  /** @param root the shape of the document, if it is a part of a document of the schema */
  constructor(
    expansion: Expansion,
    wholeValues: () => WholeValues | undefined = () => undefined,
    byAlternatives: Map<string, Shape> = new Map<string, Shape>(),
    root?: Shape,
  ) {
    this.expansion = expansion;
    this.wholeValues = wholeValues;
    this.byAlternatives = byAlternatives;
    this.root = root ?? this.shapeOf(expansion.alternatives(expansion.root));
  }

  shapeOf(alternatives: readonly Alternative[]): Shape {
    // `anything` has an empty id. The count tells its shape from that of a schema without alternatives.
    const id = `${alternatives.length}:${alternatives.map((alternative) => alternative.id).join("|")}`;
    return getOrInsert(this.byAlternatives, id, () => new Shape(alternatives, this));
  }

  /** The same shapes, for values that are a part of a document of the schema. */
  rootedAt(root: Shape): Shapes {
    return new Shapes(this.expansion, this.wholeValues, this.byAlternatives, root);
  }

  allOf(schemas: readonly unknown[]): readonly Alternative[] {
    return schemas.reduce<readonly Alternative[]>(
      (all, schema) => both(all, this.expansion.alternatives(schema)),
      [anything],
    );
  }

  allowsName(schema: unknown, key: string): boolean {
    return this.allOf([schema]).some(
      (alternative) =>
        problemOfScalar(alternative, key) === undefined &&
        (alternative.interpreted.length === 0 ||
          this.wholeValues()?.allow(alternative.interpreted, key) !== false),
    );
  }

  awaitedBy({ rules }: Alternative): readonly string[] {
    return rules.flatMap(({ properties }) =>
      [...properties].filter(([, schema]) => this.expansion.isRequiredNow(schema)).map(([key]) => key),
    );
  }
}

/** How many keys a shape caches. Only `patternProperties` and `propertyNames` can need more. */
const MAX_KEYS = 1_000;

function otherSchemas({ additionalProperties }: Rules): unknown[] {
  return [additionalProperties];
}

/** Ignores `{"type": "string"}`, which Zod writes for every record. */
function limitsNames({ propertyNames }: Rules): boolean {
  return propertyNames !== undefined && JSON.stringify(propertyNames) !== '{"type":"string"}';
}

function isUpperBound({ code }: Check): boolean {
  return code === "too_long";
}

function requiredBy({ rules }: Alternative): readonly string[] {
  return rules.flatMap(({ required }) => required);
}

function isNamedValue({ rules }: Alternative): boolean {
  return rules.some(({ options }) => options !== undefined);
}
