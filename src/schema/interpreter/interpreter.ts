import type { JsonObject, JsonValue } from "../../json/value.js";
import { keywordOf } from "./draft.js";
import { Evaluation } from "./evaluation.js";
import type { Mismatch } from "./mismatch.js";
import { patternOf } from "./dialect.js";
import type { SchemaIssue } from "../schema.js";
import { SchemaDocument } from "./schema-document.js";

/** Checks values against a JSON Schema of any draft from 4 to 2020-12. It generates no code and changes no schema. */
export class Interpreter {
  readonly document: SchemaDocument;

  constructor(schema: JsonObject) {
    this.document = new SchemaDocument(schema);
  }

  /**
   * The mismatches of a value, at most 50. None if it matches.
   *
   * @throws {SchemaError} `bad_schema` if a reference leads nowhere, or to itself without end; `too_complex` if the
   *   check takes more than 10 million steps and 1,000 more for each value inside
   */
  check(value: JsonValue): Mismatch[] {
    const { root } = this.document;
    const evaluation = new Evaluation(this.document, MAX_STEPS + STEPS_PER_VALUE * sizeOf(value));
    if (evaluation.accepts(root, value)) return [];
    return evaluation.mismatches(root, value);
  }

  /** An evaluation for several values, such as the parts of a document that streams. */
  evaluation(): Evaluation {
    return new Evaluation(this.document, MAX_STEPS);
  }

  /** The parts of the schema that are not applied as written. */
  get warnings(): SchemaIssue[] {
    return this.document.nodes.flatMap(({ schema, resource, pointer, references }) => {
      const pattern = keywordOf(schema as JsonObject, "pattern", resource.draft);
      const named = keywordOf(schema as JsonObject, "patternProperties", resource.draft);
      const sources = typeof named === "object" && named !== null ? Object.keys(named) : [];
      if (typeof pattern === "string") sources.push(pattern);
      const messages = sources.flatMap((source) => {
        const { mode } = patternOf(source);
        if (mode === "unicode") return [];
        const words = JSON.stringify(source);
        return mode === "legacy"
          ? `The pattern ${words} is invalid in unicode mode. It is applied without that mode.`
          : `The pattern ${words} is invalid. It is ignored.`;
      });
      for (const { keyword, uri, target } of references) {
        if (target === undefined) messages.push(`The ${keyword} ${JSON.stringify(uri)} leads nowhere.`);
      }
      return messages.map((message) => ({ pointer, message }));
    });
  }
}

const MAX_STEPS = 10_000_000;
const STEPS_PER_VALUE = 1_000;

function sizeOf(value: JsonValue): number {
  const open = [value];
  // The list grows.
  for (const inner of open) {
    if (typeof inner === "object" && inner !== null) for (const part of Object.values(inner)) open.push(part);
  }
  return open.length;
}
