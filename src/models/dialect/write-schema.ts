import { setMember, type JsonObject, type JsonValue } from "../../json/value.js";
import { mapSchema, withoutMarks } from "../../schema/map-schema.js";
import { madeForText, madeOnce } from "../../tree/made-once.js";
import { childPointer } from "../../tree/pointer.js";
import type { ResponseFormat, ToolDefinition } from "../contract/chat-model.js";
import { allOfJoined, ruleFor, type SchemaDialect, unchanged } from "./dialect.js";
import { joinAllOf, noteOf, withNote } from "./join-all-of.js";
import { checkReferences } from "./references.js";
import { formatSubject, type Refuse, refuseIn, toolSubject } from "./refuse.js";

/**
 * Converts a JSON Schema to the dialect of a provider. With the table `{ type: "kept", maximum: "described" }`,
 *
 *     { type: "integer", allOf: [{ maximum: 5 }] }
 *
 * is first joined to `{ type: "integer", maximum: 5 }`, and then written as
 * `{ type: "integer", description: "(maximum: 5)" }`.
 *
 * @param subject the owner of the schema, for errors: `the tool "weather"`
 * @throws {ModelError} `invalid_request` with the JSON Pointer of the unsupported part
 */
export function writeSchema(schema: JsonObject, dialect: SchemaDialect, subject: string): JsonObject {
  return writerOf(dialect)(schema, subject);
}

/** Each step of an agent sends the same schemas. To write those of eight tools takes half a millisecond. */
const writerOf = madeOnce((dialect: SchemaDialect) =>
  madeForText((schema: JsonObject, subject: string) => write(schema, dialect, subject)),
);

function write(schema: JsonObject, dialect: SchemaDialect, subject: string): JsonObject {
  const refuse = refuseIn(subject, dialect.expressed, dialect.advice);
  const plain = withoutMarks(schema);
  const whole = dialect.root?.(plain, refuse) ?? plain;
  if (dialect.references !== undefined) checkReferences(whole, dialect.references, refuse);
  const supported = mapSchema(whole, (inner, pointer) => withoutUnsaid(inner, pointer, dialect, refuse));
  const written = mapSchema(supported, (inner, pointer) => {
    if (dialect.keywords["allOf"] !== allOfJoined) return writeOne(inner, pointer, dialect, refuse);
    const fate = fatesIn(inner, dialect);
    const one = joinAllOf(inner, pointer, refuse, (...entry) => fate(...entry) === "described");
    // The members of an allOf are written as a part of the whole.
    return /\/allOf\/\d+$/.test(pointer) ? one : writeOne(one, pointer, dialect, refuse);
  });
  dialect.check?.(written, supported, refuse);
  const { $schema: _, ...others } = written;
  return others;
}

/** The same, without a title and a description that the request has beside the schema. */
export function writeNamed(
  schema: JsonObject,
  dialect: SchemaDialect,
  { name, description = "" }: { readonly name: string; readonly description?: string | undefined },
  subject: string,
): JsonObject {
  const written = Object.entries(writeSchema(schema, dialect, subject));
  const own = written.flatMap(([keyword, value]): [string, JsonValue][] => {
    if (keyword === "title" && value === name) return [];
    if (keyword !== "description" || typeof value !== "string" || description === "")
      return [[keyword, value]];
    const more = value.startsWith(description) ? value.slice(description.length).trim() : value;
    return more === "" ? [] : [[keyword, more]];
  });
  return Object.fromEntries(own);
}

/** The schema of a response format. Without `strict`, it is sent unchanged. */
export function writeFormat(
  { name, schema, strict = true }: ResponseFormat,
  dialect: SchemaDialect,
): JsonObject {
  return writeSchema(schema, strict ? dialect : unchanged, formatSubject(name));
}

export function writeParameters(tool: ToolDefinition, dialect: SchemaDialect): JsonObject {
  return writeNamed(tool.parameters, dialect, tool, toolSubject(tool.name));
}

/** Refuses keywords, and removes those that say nothing to the provider. */
function withoutUnsaid(
  schema: JsonObject,
  pointer: string,
  dialect: SchemaDialect,
  refuse: Refuse,
): JsonObject {
  const fateOf = fatesIn(schema, dialect);
  const entries = Object.entries(schema).filter(([keyword, value]) => {
    const fate = fateOf(keyword, value);
    if (typeof fate === "string") return fate !== "dropped";
    throw refuse(childPointer(pointer, keyword), fate.problem ?? `${keyword} is not supported`);
  });
  return Object.fromEntries(entries);
}

function writeOne(schema: JsonObject, pointer: string, dialect: SchemaDialect, refuse: Refuse): JsonObject {
  const rewritten = Object.entries(dialect.keywords).reduce(
    (before, [keyword, rule]) =>
      typeof rule === "object" && "rewrite" in rule && before[keyword] !== undefined
        ? rule.rewrite(before, pointer, refuse)
        : before,
    schema,
  );
  const fateOf = fatesIn(rewritten, dialect);
  const kept: JsonObject = {};
  const described: string[] = [];
  for (const [keyword, value] of Object.entries(rewritten)) {
    if (fateOf(keyword, value) === "described") described.push(noteOf(keyword, value));
    else setMember(kept, keyword, value);
  }
  const one = described.length === 0 ? kept : withNote(kept, `(${described.join(", ")})`);
  return dialect.shape?.(one, pointer, refuse) ?? one;
}

function fatesIn(schema: JsonObject, { keywords, others }: SchemaDialect) {
  return (keyword: string, value: JsonValue) => {
    const rule = Object.hasOwn(keywords, keyword) ? keywords[keyword] : undefined;
    return ruleFor(rule ?? others, value, schema);
  };
}
