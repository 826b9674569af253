import { Kind } from "../../json/build/kinds.js";
import { isObject, type JsonArray, type JsonObject, type JsonValue } from "../../json/value.js";
import { childPointer } from "../../tree/pointer.js";
import { anyKind, hasMember } from "../values.js";
import { keywordOf } from "./draft.js";
import { patternOf, type Pattern } from "./dialect.js";
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
  // A `const` or `enum` decides most unions, so these members come first.
  const properties = keywords.named("properties").sort(([, a], [, b]) => rank(a) - rank(b));
  const named = new Set(properties.map(([name]) => name));
  const patterns = keywords
    .named("patternProperties")
    .map(([source, node]): [Pattern, SchemaNode] => [patternOf(source), node]);
  const isOther = (key: string): boolean => !named.has(key) && !patterns.some(([it]) => it.test(key));
  const other = keywords.schema("additionalProperties");
  const name = keywords.schema("propertyNames");
  return [
    ...given(properties.length, () =>
      ofParts("properties", Kind.OBJECT, {
        size: () => properties.length,
        select: (cursor, index) => {
          const [key, node] = properties[index] as [string, SchemaNode];
          return hasMember(cursor.value as JsonObject, key) ? member(cursor, key, node) : undefined;
        },
      }),
    ),
    ...given(patterns.length, () =>
      ofParts("patternProperties", Kind.OBJECT, {
        size: ({ keys }) => keys.length * patterns.length,
        select: (cursor, index) => {
          const key = cursor.keys[Math.floor(index / patterns.length)] as string;
          const [pattern, node] = patterns[index % patterns.length] as [Pattern, SchemaNode];
          return pattern.test(key) ? member(cursor, key, node) : undefined;
        },
      }),
    ),
    ...given(other, (node) => ofMembers("additionalProperties", node, (_cursor, key) => isOther(key))),
    ...given(name, (node) => ({
      ...ofMembers("propertyNames", node),
      select: (cursor, index) => {
        cursor.key = cursor.part = cursor.keys[index] as string;
        return node;
      },
      marks: "none",
    })),
  ];
}

function arrayApplicators(keywords: Keywords): Applicator[] {
  // Schemas without `$schema` count as 2020-12, but many are older and have a list in `items`.
  const isOld = Array.isArray(keywords.value("items"));
  const [keyword, restKeyword] = isOld ? ["items", "additionalItems"] : ["prefixItems", "items"];
  const first = keywords.list(keyword);
  const [min, max] = [keywords.value("minContains"), keywords.value("maxContains")];
  return [
    ...given(first.length, () =>
      ofParts(keyword, Kind.ARRAY, {
        size: ({ value }) => Math.min(first.length, (value as JsonArray).length),
        select: (cursor, index) => element(cursor, index, first[index]),
      }),
    ),
    ...given(keywords.schema(restKeyword), (node) => ofElements(restKeyword, node, first.length)),
    ...given(keywords.schema("contains"), (node) => ({
      ...ofElements("contains", node),
      quantifier: {
        min: typeof min === "number" ? min : 1,
        max: typeof max === "number" ? max : Infinity,
      },
      marks: keywords.draft < 2020 ? "none" : "part",
    })),
  ];
}

const unionKeywords: readonly (readonly [string, Quantifier])[] = [
  ["allOf", "all"],
  ["anyOf", { min: 1, max: Infinity }],
  ["oneOf", { min: 1, max: 1 }],
];

function unions(keywords: Keywords): Applicator[] {
  return [
    ...unionKeywords.flatMap(([keyword, quantifier]) => {
      const nodes = keywords.list(keyword);
      return given(nodes.length, () => inPlace(keyword, quantifier, nodes));
    }),
    ...given(keywords.schema("not"), (node) => ({
      ...inPlace("not", { min: 0, max: 0 }, [node]),
      marks: "none",
    })),
  ];
}

function conditions(keywords: Keywords): Applicator[] {
  const [then, otherwise] = [keywords.schema("then"), keywords.schema("else")];
  return [
    ...given(keywords.schema("if"), (condition) => ({
      ...inPlace("if", "condition", [condition, undefined]),
      select: (cursor, index) => (index === 0 ? condition : cursor.matched > 0 ? then : otherwise),
    })),
    ...["dependentSchemas", "dependencies"].flatMap((keyword) => {
      const dependent = keywords.named(keyword);
      return given(dependent.length, () => ({
        ...inPlace(keyword, "all", dependent),
        kinds: Kind.OBJECT,
        select: (cursor, index) => {
          const [name, node] = dependent[index] as [string, SchemaNode];
          return hasMember(cursor.value as JsonObject, name) ? node : undefined;
        },
      }));
    }),
  ];
}

function leftovers(keywords: Keywords): Applicator[] {
  const isLeft = ({ evaluated }: Cursor, key: string | number): boolean => evaluated?.has(key) !== true;
  return [
    ...given(keywords.schema("unevaluatedProperties"), (node) =>
      ofMembers("unevaluatedProperties", node, isLeft),
    ),
    ...given(keywords.schema("unevaluatedItems"), (node) => ofElements("unevaluatedItems", node, 0, isLeft)),
  ];
}

/** The applicator, if the schema has its keyword. */
function given<Found extends SchemaNode | number>(
  found: Found | undefined,
  create: (found: Found) => Applicator,
): Applicator[] {
  return found === undefined || found === 0 ? [] : [create(found)];
}

type Filter<Key> = (cursor: Cursor, key: Key) => boolean;

function ofMembers(keyword: string, node: SchemaNode, applies: Filter<string> = always): Applicator {
  return ofParts(keyword, Kind.OBJECT, {
    size: ({ keys }) => keys.length,
    select: (cursor, index) => {
      const key = cursor.keys[index] as string;
      return applies(cursor, key) ? member(cursor, key, node) : undefined;
    },
  });
}

function ofElements(
  keyword: string,
  node: SchemaNode,
  from = 0,
  applies: Filter<number> = always,
): Applicator {
  return ofParts(keyword, Kind.ARRAY, {
    size: ({ value }) => (value as JsonArray).length - from,
    select: (cursor, index) =>
      applies(cursor, index + from) ? element(cursor, index + from, node) : undefined,
  });
}

function always(): boolean {
  return true;
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
