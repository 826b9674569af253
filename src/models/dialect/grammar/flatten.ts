import { isObject, type JsonObject, type JsonValue, setMember, valueAt } from "../../../json/value.js";
import { isNote } from "../../../schema/inline-references.js";
import { mapInside } from "../../../schema/map-schema.js";
import { isInstance } from "../../../text/thrown.js";
import { childPointer, parsePointer } from "../../../tree/pointer.js";
import { ModelError } from "../../contract/errors.js";
import { joinAllOf, noteOf, withNote } from "../join-all-of.js";
import { withDefinitions, withRootTarget } from "../references.js";
import type { Refuse } from "../refuse.js";
import { type GrammarPattern, joinPatterns, readPattern, writePattern } from "./pattern.js";

/**
 * Writes the rules of a schema so that none is beside a `$ref`, an `anyOf` or an `allOf`, because a grammar takes the
 * first of them and drops the rest:
 *
 *     { required: ["a"], $ref: "#/$defs/x" }          the target, joined with `required`
 *     { properties: …, anyOf: [b, c] }                { anyOf: [b with properties, c with properties] }
 *     { allOf: [b, c] }                               b joined with c
 */
export function flattened(root: JsonObject, refuse: Refuse): JsonObject {
  const whole = withRootTarget(withDefinitions(root, refuse, isPlainDefinition), refuse);
  return new Flattening(whole, refuse).flat(whole, "", []);
}

/** llama.cpp reads no other pointers: not `#`, and no escapes. */
function isPlainDefinition(target: string): boolean {
  return /^\/(?:\$defs|definitions)\/[\w.-]+$/.test(target);
}

interface SchemaPlace {
  readonly pointer: string;
  /** The references whose targets contain this place. They are followed no further. */
  readonly expanded: readonly string[];
  /** The references that were followed here. */
  readonly followed: Set<string>;
}

/**
 * How many characters of targets are written instead of references. A target may have references itself, and each
 * level may double them. Further references stay, and the rules beside them are described.
 */
const mostCopied = 100_000;

class Flattening {
  private readonly root: JsonObject;
  private readonly refuse: Refuse;
  /** The references that were followed in a choice. */
  private readonly followedIn = new WeakMap<JsonObject, ReadonlySet<string>>();
  private readonly lengths = new Map<string, number>();
  private copied = 0;

  constructor(root: JsonObject, refuse: Refuse) {
    this.root = root;
    this.refuse = refuse;
  }

  flat(schema: JsonObject, pointer: string, expanded: readonly string[]): JsonObject {
    const place: SchemaPlace = { pointer, expanded, followed: new Set() };
    const one = this.withChoices(this.joined(schema, place), place);
    const within = [...expanded, ...place.followed];
    const expandedIn = (inner: JsonObject): readonly string[] => [
      ...within,
      ...(this.followedIn.get(inner) ?? []),
    ];
    return mapInside(one, (inner, at) => this.flat(inner, at, expandedIn(inner)), pointer);
  }

  /** The schema without `allOf`, and without rules beside a `$ref`. */
  private joined(schema: JsonObject, place: SchemaPlace): JsonObject {
    const { allOf, ...own } = schema;
    const members = Array.isArray(allOf) ? allOf.filter(isObject) : [];
    const hasRules = Object.keys(own).some((keyword) => keyword !== "$ref" && isRule(keyword));
    const [member, ...others] = members;
    // Often a reference is in an allOf because of the description beside it.
    if (member !== undefined && others.length === 0 && !hasRules && own["$ref"] === undefined)
      return this.joined({ ...member, ...own }, place);
    if (member === undefined && (own["$ref"] === undefined || !hasRules)) return own;
    const { $ref, ...rules } = own;
    const all = [...($ref === undefined ? [] : [{ $ref }]), ...members];
    const plain = all.map((it) => this.joined(this.followed(it, place), place));
    const [first = rules, ...more] = withOnePattern([rules, ...plain]);
    const joined = joinAllOf({ ...first, allOf: more }, place.pointer, this.refuse, isDescribed, together);
    return joined["$ref"] === undefined ? joined : withReferenceAlone(joined);
  }

  /** The target of a reference. Empty for one that is followed already: it adds nothing. */
  private followed(schema: JsonObject, { expanded, followed }: SchemaPlace): JsonObject {
    const { $ref, ...beside } = schema;
    if (typeof $ref !== "string" || !$ref.startsWith("#/") || expanded.includes($ref)) return schema;
    const isKnown = followed.has($ref);
    const target = isKnown ? {} : valueAt(this.root, parsePointer($ref.slice(1)));
    if (!isObject(target) || (!isKnown && !this.mayCopy($ref, target))) return schema;
    followed.add($ref);
    return { ...beside, allOf: [...[beside["allOf"] ?? []].flat(), target] };
  }

  private mayCopy($ref: string, target: JsonObject): boolean {
    const length = this.lengths.get($ref) ?? JSON.stringify(target).length;
    this.lengths.set($ref, length);
    return (this.copied += length) <= mostCopied;
  }

  /** The schema with its rules in each of its choices. Choices that contradict them go. */
  private withChoices(schema: JsonObject, place: SchemaPlace): JsonObject {
    const { anyOf, oneOf, ...own } = schema;
    const [keyword, choices] =
      oneOf === undefined ? (["anyOf", anyOf] as const) : (["oneOf", oneOf] as const);
    if (!Array.isArray(choices)) return schema;
    const beside =
      oneOf === undefined || anyOf === undefined ? own : withNote(own, `(${noteOf("anyOf", anyOf)})`);
    const rules = Object.entries(beside).filter(([it]) => isRule(it));
    const notes = Object.entries(beside).filter(([it]) => !isRule(it));
    if (rules.length === 0) return { ...beside, [keyword]: choices };
    const possible = choices.flatMap((choice, index) => {
      if (!isObject(choice)) return choice === true ? [Object.fromEntries(rules)] : [];
      const at = childPointer(childPointer(place.pointer, keyword), index);
      return this.together({ ...Object.fromEntries(rules), allOf: [choice] }, { ...place, pointer: at });
    });
    return { ...Object.fromEntries(notes), [keyword]: possible };
  }

  private together(schema: JsonObject, place: SchemaPlace): JsonObject[] {
    const followed = new Set(place.followed);
    try {
      const choice = this.joined(schema, { ...place, followed });
      this.followedIn.set(choice, followed);
      return [choice];
    } catch (error) {
      if (isInstance(error, ModelError)) return [];
      throw error;
    }
  }
}

function together(a: JsonValue, b: JsonValue): JsonObject {
  return { allOf: [a, b] };
}

/** Whether a second value of a keyword goes to the description. Values that exclude each other are an error. */
function isDescribed(keyword: string): boolean {
  return keyword !== "type" && keyword !== "enum" && keyword !== "const";
}

function isRule(keyword: string): boolean {
  return !isNote(keyword) && keyword !== "$anchor";
}

/** The schemas with one pattern for all of theirs, if there is one. */
function withOnePattern(schemas: readonly JsonObject[]): readonly JsonObject[] {
  const [first, ...others] = schemas.flatMap(({ pattern }) => (pattern === undefined ? [] : [pattern]));
  const joined = others.reduce<GrammarPattern | undefined>((before, pattern) => {
    const next = patternOf(pattern);
    if (before === undefined || next === undefined) return undefined;
    return joinPatterns(before, next) ?? joinPatterns(next, before);
  }, patternOf(first));
  if (others.length === 0 || joined === undefined) return schemas;
  const rest = schemas.map(({ pattern: _, ...schema }) => schema);
  return [...rest, { pattern: writePattern(joined) }];
}

function patternOf(pattern: JsonValue | undefined): GrammarPattern | undefined {
  return typeof pattern === "string" ? readPattern(pattern) : undefined;
}

/** The rules beside a reference that cannot be followed go to the description. */
function withReferenceAlone(schema: JsonObject): JsonObject {
  const alone: JsonObject = {};
  const rules: string[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === "$ref" || !isRule(keyword)) setMember(alone, keyword, value);
    else rules.push(noteOf(keyword, value));
  }
  return rules.length === 0 ? alone : withNote(alone, `(${rules.join(", ")})`);
}
