import { Kind } from "../../json/build/kinds.js";
import { isObject, type JsonArray, type JsonObject, type JsonValue } from "../../json/value.js";
import { childPointer } from "../../tree/pointer.js";
import { anyKind, hasMember } from "../values.js";
import { keywordOf } from "./draft.js";
import { patternOf, type Pattern } from "./pattern.js";
import type { SchemaDocument } from "./schema-document.js";
import type { Applicator, Cursor, Quantifier, SchemaNode } from "./schema-node.js";

/** The keywords of a schema that apply other schemas. Those that depend on what the others evaluate come last. */
export function applicatorsOf(document: SchemaDocument, node: SchemaNode): Applicator[] {
  const keywords = new Keywords(document, node);
  return [
    ...objectApplicators(keywords),
    ...arrayApplicators(keywords),
    ...node.references.map((reference): Applicator => ({
      ...inPlace(reference.keyword, "all", [undefined]),
      select: (cursor) => cursor.follow(reference),
    })),
    ...unions(keywords),
    ...conditions(keywords),
    ...leftovers(keywords),
  ];
}

/** Reads the schemas in the keywords of a schema. */
class Keywords {
  private readonly document: SchemaDocument;
  private readonly node: SchemaNode;
  readonly draft: number;

  constructor(document: SchemaDocument, node: SchemaNode) {
    this.document = document;
    this.node = node;
    this.draft = node.resource.draft;
  }

  value(keyword: string): JsonValue | undefined {
    return keywordOf(this.node.schema as JsonObject, keyword, this.node.resource.draft);
  }

  schema(keyword: string): SchemaNode | undefined {
    return this.inner(this.value(keyword), childPointer(this.node.pointer, keyword));
  }

  list(keyword: string): (SchemaNode | undefined)[] {
    const values = this.value(keyword);
    const at = childPointer(this.node.pointer, keyword);
    return Array.isArray(values) ? values.map((value, i) => this.inner(value, childPointer(at, i))) : [];
  }

  named(keyword: string): [string, SchemaNode][] {
    const values = this.value(keyword);
    const at = childPointer(this.node.pointer, keyword);
    return Object.entries(isObject(values) ? values : {}).flatMap(([name, value]): [string, SchemaNode][] => {
      const node = this.inner(value, childPointer(at, name));
      return node === undefined ? [] : [[name, node]];
    });
  }

  private inner(value: JsonValue | undefined, pointer: string): SchemaNode | undefined {
    return this.document.inner(this.node, value, pointer);
  }
}

function objectApplicators(keywords: Keywords): Applicator[] {
  const result: Applicator[] = [];
  // A `const` or `enum` decides most unions, so these members come first.
  const properties = keywords.named("properties").sort(([, a], [, b]) => rank(a) - rank(b));
  const names = new Set(properties.map(([name]) => name));
  if (properties.length > 0) {
    result.push(
      ofParts("properties", Kind.OBJECT, {
        size: () => properties.length,
        select: (cursor, index) => {
          const [name, node] = properties[index] as [string, SchemaNode];
          return hasMember(cursor.value as JsonObject, name) ? member(cursor, name, node) : undefined;
        },
      }),
    );
  }
  const patterns = keywords
    .named("patternProperties")
    .map(([source, node]): [Pattern, SchemaNode] => [patternOf(source), node]);
  if (patterns.length > 0) {
    result.push(
      ofParts("patternProperties", Kind.OBJECT, {
        size: ({ keys }) => keys.length * patterns.length,
        select: (cursor, index) => {
          const key = cursor.keys[Math.floor(index / patterns.length)] as string;
          const [pattern, node] = patterns[index % patterns.length] as [Pattern, SchemaNode];
          return pattern.test(key) ? member(cursor, key, node) : undefined;
        },
      }),
    );
  }
  const additional = keywords.schema("additionalProperties");
  if (additional !== undefined) {
    result.push(
      ofParts("additionalProperties", Kind.OBJECT, {
        size: ({ keys }) => keys.length,
        select: (cursor, index) => {
          const key = cursor.keys[index] as string;
          if (names.has(key) || patterns.some(([pattern]) => pattern.test(key))) return undefined;
          return member(cursor, key, additional);
        },
      }),
    );
  }
  const nameSchema = keywords.schema("propertyNames");
  if (nameSchema !== undefined) {
    result.push({
      ...ofParts("propertyNames", Kind.OBJECT, {
        size: ({ keys }) => keys.length,
        select: (cursor, index) => {
          cursor.key = cursor.part = cursor.keys[index] as string;
          return nameSchema;
        },
      }),
      marks: "none",
    });
  }
  return result;
}

function arrayApplicators(keywords: Keywords): Applicator[] {
  const result: Applicator[] = [];
  // Schemas without `$schema` count as 2020-12, but many are older and have a list in `items`.
  const keyword = Array.isArray(keywords.value("items")) ? "items" : "prefixItems";
  const first = keywords.list(keyword);
  if (first.length > 0) {
    result.push(
      ofParts(keyword, Kind.ARRAY, {
        size: ({ value }) => Math.min(first.length, (value as JsonArray).length),
        select: (cursor, index) => element(cursor, index, first[index]),
      }),
    );
  }
  const restKeyword = keyword === "items" ? "additionalItems" : "items";
  const rest = keywords.schema(restKeyword);
  if (rest !== undefined) {
    result.push(
      ofParts(restKeyword, Kind.ARRAY, {
        size: ({ value }) => (value as JsonArray).length - first.length,
        select: (cursor, index) => element(cursor, index + first.length, rest),
      }),
    );
  }
  const contained = keywords.schema("contains");
  if (contained !== undefined) {
    const [min, max] = [keywords.value("minContains"), keywords.value("maxContains")];
    result.push({
      ...ofParts("contains", Kind.ARRAY, {
        size: ({ value }) => (value as JsonArray).length,
        select: (cursor, index) => element(cursor, index, contained),
      }),
      quantifier: "count",
      marks: keywords.draft < 2020 ? "none" : "part",
      min: typeof min === "number" ? min : 1,
      max: typeof max === "number" ? max : Infinity,
    });
  }
  return result;
}

const unionKeywords = [
  ["allOf", "all"],
  ["anyOf", "any"],
  ["oneOf", "one"],
] as const;

function unions(keywords: Keywords): Applicator[] {
  const result: Applicator[] = unionKeywords
    .map(([keyword, quantifier]) => [keyword, quantifier, keywords.list(keyword)] as const)
    .filter(([, , nodes]) => nodes.length > 0)
    .map(([keyword, quantifier, nodes]) => inPlace(keyword, quantifier, nodes));
  const negated = keywords.schema("not");
  if (negated !== undefined) result.push({ ...inPlace("not", "none", [negated]), marks: "none" });
  return result;
}

function conditions(keywords: Keywords): Applicator[] {
  const result: Applicator[] = [];
  const condition = keywords.schema("if");
  if (condition !== undefined) {
    const [then, otherwise] = [keywords.schema("then"), keywords.schema("else")];
    result.push({
      ...inPlace("if", "condition", [condition, undefined]),
      select: (cursor, index) => (index === 0 ? condition : cursor.matched > 0 ? then : otherwise),
    });
  }
  for (const keyword of ["dependentSchemas", "dependencies"]) {
    const dependent = keywords.named(keyword);
    if (dependent.length === 0) continue;
    result.push({
      ...inPlace(keyword, "all", dependent),
      kinds: Kind.OBJECT,
      select: (cursor, index) => {
        const [name, node] = dependent[index] as [string, SchemaNode];
        return hasMember(cursor.value as JsonObject, name) ? node : undefined;
      },
    });
  }
  return result;
}

function leftovers(keywords: Keywords): Applicator[] {
  const result: Applicator[] = [];
  const properties = keywords.schema("unevaluatedProperties");
  if (properties !== undefined) {
    result.push(
      ofParts("unevaluatedProperties", Kind.OBJECT, {
        size: ({ keys }) => keys.length,
        select: (cursor, index) => {
          const key = cursor.keys[index] as string;
          return cursor.evaluated?.has(key) === true ? undefined : member(cursor, key, properties);
        },
      }),
    );
  }
  const items = keywords.schema("unevaluatedItems");
  if (items !== undefined) {
    result.push(
      ofParts("unevaluatedItems", Kind.ARRAY, {
        size: ({ value }) => (value as JsonArray).length,
        select: (cursor, index) =>
          cursor.evaluated?.has(index) === true ? undefined : element(cursor, index, items),
      }),
    );
  }
  return result;
}

function ofParts(keyword: string, kinds: number, children: Pick<Applicator, "size" | "select">): Applicator {
  return { keyword, kinds, quantifier: "all", marks: "part", ...children };
}

function inPlace(keyword: string, quantifier: Quantifier, nodes: readonly unknown[]): Applicator {
  return {
    keyword,
    kinds: anyKind,
    quantifier,
    marks: "same",
    size: () => nodes.length,
    select: (_cursor, index) => nodes[index] as SchemaNode | undefined,
  };
}

function member(cursor: Cursor, key: string, node: SchemaNode): SchemaNode {
  cursor.part = (cursor.value as JsonObject)[key] as JsonValue;
  cursor.key = key;
  return node;
}

function element(cursor: Cursor, index: number, node: SchemaNode | undefined): SchemaNode | undefined {
  cursor.part = (cursor.value as JsonArray)[index] as JsonValue;
  cursor.key = index;
  return node;
}

function rank({ schema }: SchemaNode): number {
  return isObject(schema) && ("const" in schema || "enum" in schema) ? 0 : 1;
}
