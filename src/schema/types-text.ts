import { isObject, type JsonObject, type JsonValue } from "../json/value.js";
import { wordSet } from "../text/words-in.js";
import { localTarget } from "./inline-references.js";

/**
 * Writes a JSON Schema as type definitions in the manner of TypeScript, which take fewer tokens in a prompt than the
 * schema. Descriptions and bounds are comments at the ends of lines. A keyword that types cannot express is a comment
 * too, as JSON, so nothing of the schema is lost but titles and examples.
 *
 * @param name the name of the type of the whole value
 */
export function typesText(schema: JsonObject, name: string): string {
  return new TypesWriter(schema).write(identifier(name));
}

/** A type, and what a comment says about it. */
interface TypeWithNotes {
  readonly text: string;
  readonly notes: readonly string[];
  /** Whether the text needs parentheses inside another type. */
  readonly isJoined?: boolean;
}

class TypesWriter {
  private readonly root: JsonObject;
  /** The names of the schemas that references lead to. */
  private readonly names = new Map<string, string>();
  private readonly definitions: string[] = [];

  constructor(root: JsonObject) {
    this.root = root;
  }

  write(name: string): string {
    this.names.set("#", name);
    const root = this.definition(name, this.root);
    return [...this.definitions, root].join("\n");
  }

  private definition(name: string, schema: JsonValue): string {
    const { text, notes } = this.type(schema, "");
    return `type ${name} = ${text};${comment(notes)}`;
  }

  private type(schema: JsonValue, indent: string): TypeWithNotes {
    if (!isObject(schema)) return { text: schema === false ? "never" : "unknown", notes: [] };
    const parts: TypeWithNotes[] = [];
    const { $ref, const: constant, enum: options, anyOf, oneOf, allOf, type } = schema;
    if (typeof $ref === "string") parts.push(this.reference($ref));
    if (constant !== undefined) parts.push(plain(JSON.stringify(constant)));
    else if (Array.isArray(options)) parts.push(union(options.map((it) => plain(JSON.stringify(it)))));
    else if (Array.isArray(type))
      parts.push(union(type.map((it) => this.ofKind(it as string, schema, indent))));
    else if (typeof type === "string") parts.push(this.ofKind(type, schema, indent));
    else if ("properties" in schema || "required" in schema)
      parts.push(this.ofKind("object", schema, indent));
    else if ("items" in schema || "prefixItems" in schema) parts.push(this.ofKind("array", schema, indent));
    for (const each of [anyOf, oneOf]) {
      if (Array.isArray(each)) parts.push(union(each.map((it) => this.type(it, indent))));
    }
    if (Array.isArray(allOf)) parts.push(...allOf.map((it) => this.type(it, indent)));
    const whole = intersection(parts);
    return { ...whole, notes: [...notesOf(schema), ...whole.notes] };
  }

  private ofKind(kind: string, schema: JsonObject, indent: string): TypeWithNotes {
    if (kind === "object") return plain(this.object(schema, indent));
    return kind === "array" ? this.array(schema, indent) : plain(kind);
  }

  private object({ properties, required, additionalProperties: others }: JsonObject, indent: string): string {
    const inner = `${indent} `;
    const needed = new Set((Array.isArray(required) ? required : []) as string[]);
    const known = isObject(properties) ? properties : {};
    const line = (key: string, schema: JsonValue): string => {
      const { text, notes } = this.type(schema, inner);
      return `${inner}${key}: ${text};${comment(notes)}`;
    };
    const lines = [...new Set([...Object.keys(known), ...needed])].map((key) =>
      line(
        (isIdentifier(key) ? key : JSON.stringify(key)) + (needed.has(key) ? "" : "?"),
        (Object.hasOwn(known, key) ? known[key] : undefined) ?? (isObject(others) ? others : true),
      ),
    );
    if (others === true || isObject(others)) lines.push(line("[key: string]", others));
    if (lines.length === 0) return others === false ? "{}" : "object";
    return `{\n${lines.join("\n")}\n${indent}}`;
  }

  private array(schema: JsonObject, indent: string): TypeWithNotes {
    const { items = true, minItems } = schema;
    const element = this.type(items, indent);
    const list = `${inParentheses(element)}[]`;
    const first = tupleIn(schema)?.map((it) => this.type(it, indent));
    if (first === undefined) return { text: list, notes: labelled("each", element) };
    const elements = first.map((it, i) =>
      typeof minItems === "number" && i >= minItems ? `${inParentheses(it)}?` : it.text,
    );
    const rest = Array.isArray(items) || items === false ? [] : [`...${list}`];
    return {
      text: `[${[...elements, ...rest].join(", ")}]`,
      notes: [...first.flatMap((it, i) => labelled(`[${i}]`, it)), ...labelled("others", element)],
    };
  }

  private reference($ref: string): TypeWithNotes {
    const known = this.names.get($ref);
    if (known !== undefined) return plain(known);
    const target = localTarget(this.root, $ref);
    if (target === undefined) return { text: "unknown", notes: [`$ref ${$ref}`] };
    const name = this.freeName(identifier($ref.slice($ref.lastIndexOf("/") + 1)));
    this.names.set($ref, name); // before its own references, which may lead back to it
    this.definitions.push(this.definition(name, target));
    return plain(name);
  }

  private freeName(name: string): string {
    const taken = new Set(this.names.values());
    let free = name;
    for (let i = 2; taken.has(free); i++) free = `${name}${i}`;
    return free;
  }
}

/** The schemas of the first elements of a tuple. */
function tupleIn({ items, prefixItems }: JsonObject): readonly JsonValue[] | undefined {
  return [prefixItems, items].find((schemas) => Array.isArray(schemas));
}

function labelled(label: string, { notes }: TypeWithNotes): string[] {
  return notes.map((note) => `${label}: ${note}`);
}

function plain(text: string): TypeWithNotes {
  return { text, notes: [] };
}

function union(types: readonly TypeWithNotes[]): TypeWithNotes {
  const texts = [...new Set(types.map(({ text }) => text))];
  const notes = types.flatMap(({ text, notes: own }) =>
    own.map((note) => (text.length < 40 ? `${text}: ${note}` : note)),
  );
  const isJoined = texts.length > 1 || types.some((type) => type.isJoined);
  return { text: texts.length === 0 ? "never" : texts.join(" | "), notes, isJoined };
}

function intersection(types: readonly TypeWithNotes[]): TypeWithNotes {
  const [first = plain("unknown"), ...others] = types;
  if (others.length === 0) return first;
  const notes = types.flatMap((it) => it.notes);
  return { text: types.map(inParentheses).join(" & "), notes, isJoined: true };
}

function wordsForBounds(low: JsonValue | undefined, high: JsonValue | undefined): string | undefined {
  const [from, to] = [low, high].map((it) => JSON.stringify(it));
  if (from === to) return from;
  if (to === undefined) return `at least ${from}`;
  return from === undefined ? `at most ${to}` : `${from} to ${to}`;
}

function isShown(keyword: string, value: JsonValue): boolean {
  return keyword === "additionalProperties"
    ? typeof value === "boolean" || isObject(value)
    : shown.has(keyword);
}

/** The keywords that the type does not show. */
function notesOf(schema: JsonObject): string[] {
  const notes: string[] = [];
  const others: JsonObject = {};
  const range = (low: JsonValue | undefined, high: JsonValue | undefined, what: string): void => {
    const bounds = wordsForBounds(low, high);
    if (bounds !== undefined) notes.push(what === "" ? bounds : `${bounds} ${what}`);
  };
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === "description") notes.unshift(typeof value === "string" ? value : JSON.stringify(value));
    else if (!isShown(keyword, value)) {
      if (keyword === "pattern" && "format" in schema) continue; // a library's own rule for the format
      if (keyword === "propertyNames" && JSON.stringify(value) === '{"type":"string"}') continue;
      if (Object.hasOwn(words, keyword))
        notes.push(
          `${words[keyword] as string} ${typeof value === "string" ? value : JSON.stringify(value)}`,
        );
      else others[keyword] = value;
    }
  }
  const { minimum, maximum } = schema;
  const bound = (value: JsonValue | undefined): JsonValue | undefined =>
    Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER ? undefined : value; // Zod writes it for every integer
  range(bound(minimum), bound(maximum), "");
  range(schema["minLength"], schema["maxLength"], "characters");
  const { items, minItems, maxItems } = schema;
  const length = tupleIn(schema)?.length;
  const isClosed = maxItems === length && (items === false || Array.isArray(items));
  if (length === undefined) range(minItems, maxItems, "elements");
  else range(Number(minItems) > length ? minItems : undefined, isClosed ? undefined : maxItems, "elements");
  range(schema["minProperties"], schema["maxProperties"], "members");
  if (schema["uniqueItems"] === true) notes.push("unique elements");
  if (Object.keys(others).length > 0) notes.push(`also ${JSON.stringify(others)}`);
  return notes;
}

const words: Readonly<Record<string, string>> = {
  ...{ pattern: "matches", format: "format", default: "default", multipleOf: "multiple of" },
  ...{ exclusiveMinimum: "more than", exclusiveMaximum: "less than" },
};

/** Keywords that the type shows, or that say nothing about the value. */
const shown = wordSet(`
  $ref const enum anyOf oneOf allOf type properties required items prefixItems minimum maximum minLength maxLength
  minItems maxItems minProperties maxProperties uniqueItems description title examples $schema $id id $defs
  definitions $comment stream
`);

function comment(notes: readonly string[]): string {
  if (notes.length === 0) return "";
  return ` // ${[...new Set(notes)].join("; ").replaceAll(/\s+/g, " ").trim()}`;
}

function inParentheses({ text, isJoined = false }: TypeWithNotes): string {
  return isJoined ? `(${text})` : text;
}

function isIdentifier(text: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(text);
}

function identifier(text: string): string {
  const joined = text.replaceAll(/[^\w$]+(\w?)/g, (_, next: string) => next.toUpperCase());
  return nameOf(joined.replace(/^[_$]+/, ""));
}

function nameOf(joined: string): string {
  const name = joined.charAt(0).toUpperCase() + joined.slice(1);
  return isIdentifier(name) ? name : `T${name}`;
}
