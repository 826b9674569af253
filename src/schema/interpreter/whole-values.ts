import type { JsonValue } from "../../json/value.js";
import type { Evaluation } from "./evaluation.js";
import type { Mismatch } from "./mismatch.js";
import type { SchemaNode } from "./schema-node.js";

/**
 * Decides about complete values of one document for the guard. Once the evaluation has failed, every value is allowed:
 * the final check then reports why.
 */
export class WholeValues {
  private evaluation: Evaluation | undefined;

  constructor(evaluation: Evaluation) {
    this.evaluation = evaluation;
  }

  /** Whether all schemas allow the value. */
  allow(nodes: readonly SchemaNode[], value: JsonValue): boolean {
    return this.tried((evaluation) => nodes.every((node) => evaluation.accepts(node, value))) ?? true;
  }

  /** Why one of the schemas does not allow the value. */
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
