import * as Kind from "../../json/build/kind.js";
import { isObject, type JsonArray, type JsonObject, type JsonValue } from "../../json/value.js";
import { pointerTo } from "../../tree/pointer.js";
import { anyKind, hasMember } from "../values.js";
import { keywordOf } from "./draft.js";
import { jsonSchemaDialect } from "./dialect.js";
import type { SchemaDocument } from "./schema-document.js";
import type { Applicator, Cursor, Quantifier, SchemaNode } from "./schema-node.js";

/** The keywords of a schema that apply other schemas. Those that depend on what the others evaluate come last. */
export function applicatorsOf(document: SchemaDocument, node: SchemaNode): Applicator[] {
  const keywords = new Keywords(document, node);
  return [
    ...objectApplicators(keywords),
    ...arrayApplicators(keywords),
    ...node.references.map((reference): Applicator => ({
      ...inPlace(reference.keyword, "all", 1),
      select: (cursor) => cursor.follow(reference),
    })),
    ...unionKeywords.map(([keyword, quantifier]) => union(keyword, quantifier, keywords.list(keyword))),
    ...conditions(keywords),
    ofMembers("unevaluatedProperties", keywords.schema("unevaluatedProperties"), isLeft),
    ofElements("unevaluatedItems", keywords.schema("unevaluatedItems"), 0, isLeft),
  ].filter((applicator) => applicator !== undefined);
}

/** Reads the schemas in the keywords of a schema. */
class Keywords {
  private readonly document: SchemaDocument;
  private readonly node: SchemaNode;

  constructor(document: SchemaDocument, node: SchemaNode) {
    this.document = document;
    this.node = node;
  }

  get draft(): number {
    return this.node.resource.draft;
  }

  value(keyword: string): JsonValue | undefined {
    return keywordOf(this.node.schema as JsonObject, keyword, this.node.resource.draft);
  }

  schema(keyword: string): SchemaNode | undefined {
    return this.inner(this.value(keyword), keyword);
  }

  list(keyword: string): (SchemaNode | undefined)[] {
    const values = this.value(keyword);
    return Array.isArray(values) ? values.map((value, i) => this.inner(value, keyword, i)) : [];
  }

  named(keyword: string): [string, SchemaNode][] {
    const values = this.value(keyword);
    return Object.entries(isObject(values) ? values : {}).flatMap(([name, value]): [string, SchemaNode][] => {
      const node = this.inner(value, keyword, name);
      return node === undefined ? [] : [[name, node]];
    });
  }

  private inner(value: JsonValue | undefined, ...keys: (string | number)[]): SchemaNode | undefined {
    return this.document.inner(this.node, value, this.node.pointer + pointerTo(keys));
  }
}

type Applicators = readonly (Applicator | undefined)[];

function objectApplicators(keywords: Keywords): Applicators {
  // A `const` or `enum` decides most unions, so these members come first.
  const properties = keywords.named("properties").sort(([, a], [, b]) => rank(a) - rank(b));
  const named = new Set(properties.map(([name]) => name));
  const patterns = keywords
    .named("patternProperties")
    .map(([source, node]) => [jsonSchemaDialect.matching(source), node] as const);
  const isOther = (_cursor: Cursor, key: string): boolean =>
    !named.has(key) && !patterns.some(([matches]) => matches(key));
  const names = ofMembers("propertyNames", keywords.schema("propertyNames"));
  return [
    ofParts("properties", Kind.OBJECT, properties, {
      size: () => properties.length,
      select: (cursor, index) => {
        const [key, node] = properties[index] as [string, SchemaNode];
        return hasMember(cursor.value as JsonObject, key) ? part(cursor, key, node) : undefined;
      },
    }),
    ofParts("patternProperties", Kind.OBJECT, patterns, {
      size: ({ keys }) => keys.length * patterns.length,
      select: (cursor, index) => {
        const key = cursor.keys[Math.floor(index / patterns.length)] as string;
        const [matches, node] = patterns[index % patterns.length] as (typeof patterns)[number];
        return matches(key) ? part(cursor, key, node) : undefined;
      },
    }),
    ofMembers("additionalProperties", keywords.schema("additionalProperties"), isOther),
    names && {
      ...names,
      select: (cursor, index) => {
        const node = names.select(cursor, index);
        cursor.part = cursor.key as string;
        return node;
      },
      marks: "none",
    },
  ];
}

function arrayApplicators(keywords: Keywords): Applicators {
  // Schemas without `$schema` count as 2020-12, but many are older and have a list in `items`.
  const isOld = Array.isArray(keywords.value("items"));
  const [keyword, restKeyword] = isOld ? ["items", "additionalItems"] : ["prefixItems", "items"];
  const first = keywords.list(keyword);
  const [min = 1, max = Infinity] = ["minContains", "maxContains"].map((name) => {
    const count = keywords.value(name);
    return typeof count === "number" ? count : undefined;
  });
  const contains = ofElements("contains", keywords.schema("contains"));
  return [
    ofParts(keyword, Kind.ARRAY, first, {
      size: ({ value }) => Math.min(first.length, (value as JsonArray).length),
      select: (cursor, index) => part(cursor, index, first[index]),
    }),
    ofElements(restKeyword, keywords.schema(restKeyword), first.length),
    contains && { ...contains, quantifier: { min, max }, marks: keywords.draft < 2020 ? "none" : "part" },
  ];
}

const unionKeywords: readonly (readonly [string, Quantifier])[] = [
  ["allOf", "all"],
  ["anyOf", { min: 1, max: Infinity }],
  ["oneOf", { min: 1, max: 1 }],
];

function union(
  keyword: string,
  quantifier: Quantifier,
  nodes: readonly (SchemaNode | undefined)[],
): Applicator | undefined {
  if (nodes.length === 0) return undefined;
  return { ...inPlace(keyword, quantifier, nodes.length), select: (_cursor, index) => nodes[index] };
}

function conditions(keywords: Keywords): Applicators {
  const [not, condition, then, otherwise] = ["not", "if", "then", "else"].map((it) => keywords.schema(it));
  return [
    not && { ...inPlace("not", { min: 0, max: 0 }, 1), select: () => not, marks: "none" },
    condition && {
      ...inPlace("if", "condition", 2),
      select: (cursor, index) => (index === 0 ? condition : cursor.matched > 0 ? then : otherwise),
    },
    ...["dependentSchemas", "dependencies"].map((keyword): Applicator | undefined => {
      const dependent = keywords.named(keyword);
      if (dependent.length === 0) return undefined;
      return {
        ...inPlace(keyword, "all", dependent.length),
        kinds: Kind.OBJECT,
        select: (cursor, index) => {
          const [name, node] = dependent[index] as [string, SchemaNode];
          return hasMember(cursor.value as JsonObject, name) ? node : undefined;
        },
      };
    }),
  ];
}

function isLeft({ evaluated }: Cursor, key: string | number): boolean {
  return evaluated?.has(key) !== true;
}

type Filter<Key> = (cursor: Cursor, key: Key) => boolean;

function ofMembers(
  keyword: string,
  node: SchemaNode | undefined,
  applies?: Filter<string>,
): Applicator | undefined {
  return ofParts(keyword, Kind.OBJECT, node, {
    size: ({ keys }) => keys.length,
    select: (cursor, index) => {
      const key = cursor.keys[index] as string;
      return applies?.(cursor, key) === false ? undefined : part(cursor, key, node);
    },
  });
}

function ofElements(
  keyword: string,
  node: SchemaNode | undefined,
  from = 0,
  applies?: Filter<number>,
): Applicator | undefined {
  return ofParts(keyword, Kind.ARRAY, node, {
    size: ({ value }) => (value as JsonArray).length - from,
    select: (cursor, index) =>
      applies?.(cursor, index + from) === false ? undefined : part(cursor, index + from, node),
  });
}

/** A keyword for the parts of containers. `undefined` if the schema lacks it: there are no nodes. */
function ofParts(
  keyword: string,
  kinds: number,
  nodes: SchemaNode | readonly unknown[] | undefined,
  children: Pick<Applicator, "size" | "select">,
): Applicator | undefined {
  if (nodes === undefined || (Array.isArray(nodes) && nodes.length === 0)) return undefined;
  return { keyword, kinds, quantifier: "all", marks: "part", ...children };
}

/** A keyword for the value itself, with so many children. */
function inPlace(keyword: string, quantifier: Quantifier, count: number): Omit<Applicator, "select"> {
  return { keyword, kinds: anyKind, quantifier, marks: "same", size: () => count };
}

function part(cursor: Cursor, key: string | number, node: SchemaNode | undefined): SchemaNode | undefined {
  cursor.part = (cursor.value as JsonObject)[key] as JsonValue;
  cursor.key = key;
  return node;
}

function rank({ schema }: SchemaNode): number {
  return isObject(schema) && ("const" in schema || "enum" in schema) ? 0 : 1;
}
