import { isObject, type JsonObject, type JsonValue, valuesIn } from "../../json/value.js";
import { WorkBudget, workPerCharacter } from "../../tree/work-budget.js";
import { knownKeywords } from "./draft.js";
import { Evaluation } from "./evaluation.js";
import type { Mismatch } from "./mismatch.js";
import { readingsOf } from "../keywords/dialect.js";
import type { SchemaIssue } from "../schema.js";
import { SchemaDocument } from "./schema-document.js";
import type { SchemaNode } from "./schema-node.js";

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
   *   check takes more than a million steps, and 64 for each value inside and each schema
   */
  check(value: JsonValue): Mismatch[] {
    const { root } = this.document;
    const evaluation = this.evaluationOf(() => valuesIn(value).length);
    if (evaluation.accepts(root, value)) return [];
    return evaluation.mismatches(root, value);
  }

  /** Decides about several values: the parts of a document that streams. */
  wholeValues(): WholeValues {
    return new WholeValues(this.evaluationOf());
  }

  /** A schema of the program may look at each value, so the factor grows with their number. */
  private evaluationOf(measure?: () => number): Evaluation {
    const factor = workPerCharacter * this.document.nodes.length;
    const budget = new WorkBudget({ factor, free: freeSteps, advice, ...(measure && { measure }) });
    return new Evaluation(this.document, budget);
  }

  /** The parts of the schema that are not applied as written. */
  get warnings(): SchemaIssue[] {
    return this.document.nodes.flatMap(({ schema, resource, pointer, references }) => {
      const { pattern, patternProperties } = knownKeywords(schema as JsonObject, resource.draft);
      const sources = isObject(patternProperties) ? Object.keys(patternProperties) : [];
      if (typeof pattern === "string") sources.push(pattern);
      const messages = sources.flatMap((source) => {
        const [reading] = readingsOf(source);
        if (reading?.unicode === true) return [];
        const outcome = reading ? " in unicode mode. It is applied without that mode." : ". It is ignored.";
        return `The pattern ${JSON.stringify(source)} is invalid${outcome}`;
      });
      for (const { keyword, uri, target } of references) {
        if (target === undefined) messages.push(`The ${keyword} ${JSON.stringify(uri)} leads nowhere.`);
      }
      return messages.map((message) => ({ pointer, message }));
    });
  }
}

const freeSteps = 1_000_000;
const advice = "Check a smaller value, or use fewer references in unions.";

/**
 * Decides about complete values of one document for the guard. Once the evaluation has failed, every value is allowed:
 * the final check then reports why.
 */
export class WholeValues {
  private evaluation: Evaluation | undefined;

  constructor(evaluation: Evaluation) {
    this.evaluation = evaluation;
  }

  allow(nodes: readonly SchemaNode[], value: JsonValue): boolean {
    return this.tried((evaluation) => nodes.every((node) => evaluation.accepts(node, value))) ?? true;
  }

  mismatch(nodes: readonly SchemaNode[], value: JsonValue): Mismatch | undefined {
    return this.tried((evaluation) => {
      const refusing = nodes.find((node) => !evaluation.accepts(node, value));
      return refusing && evaluation.mismatches(refusing, value)[0];
    });
  }

  private tried<Found>(find: (evaluation: Evaluation) => Found): Found | undefined {
    try {
      return this.evaluation && find(this.evaluation);
    } catch {
      this.evaluation = undefined;
      return undefined;
    }
  }
}
