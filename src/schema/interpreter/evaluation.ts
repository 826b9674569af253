import { kindOf } from "../../json/build/kinds.js";
import { isContainer, type JsonValue } from "../../json/value.js";
import { keepAlive } from "../../tree/keep-alive.js";
import { getOrInsert } from "../../tree/made-once.js";
import { WorkBudget } from "../../tree/work-budget.js";
import { SchemaError } from "../errors.js";
import { placeOf } from "../schema.js";
import { containerKeywords } from "../keywords/container-keywords.js";
import { anyValue, type Check, checksOf, keywords } from "../keywords/keywords.js";
import { applicatorsOf } from "./applicators.js";
import { Canon } from "./canon.js";
import { jsonSchemaDialect } from "./dialect.js";
import { knownKeywords } from "./draft.js";
import { failureLater, Frame, match, mismatch, type SchemaFailure, type Outcome } from "./frame.js";
import { mismatchesOf, type Mismatch } from "./mismatch.js";
import { SchemaDocument } from "./schema-document.js";
import type { Program, SchemaNode } from "./schema-node.js";
import { Scope } from "./scope.js";

/**
 * Checks values against the schemas of a document. A result is kept for each schema that references lead to, dynamic
 * scope and value, so each schema looks at each value once and the cost is at most schema x document. What is open is
 * on a stack of our own: neither a deep value nor a deep schema overflows that of JavaScript.
 *
 * Values must not change between two calls.
 */
export class Evaluation {
  /** The number of steps so far: a step applies one schema to one value, or looks for a child to do so. */
  steps = 0;

  private readonly document: SchemaDocument;
  private readonly budget: WorkBudget;
  private readonly outermost = new Scope();
  private readonly results = new Map<Scope, Map<SchemaNode, Results>>();
  private readonly canon = new Canon();
  private readonly stack: Frame[] = [];

  /** @param budget pays for the steps. What is checked counts as received */
  constructor(document: SchemaDocument, budget: WorkBudget) {
    keepAlive("evaluation", createEvaluation);
    this.document = document;
    this.budget = budget;
  }

  /**
   * Whether the value matches the schema.
   *
   * @throws {SchemaError} `bad_schema` for a reference without target or to itself, `too_complex` if it
   *   takes more steps than the budget allows
   */
  accepts(node: SchemaNode, value: JsonValue): boolean {
    this.budget.receive(partsOf(value));
    return this.run(node, value, this.outermost, false).valid;
  }

  /**
   * What does not match, the first ones in the order of the schema. It does not check again where `accepts()` found a
   * match. The failures behind a reference find their reasons when somebody reads these, because of many such failures
   * few are shown.
   */
  mismatches(node: SchemaNode, value: JsonValue): Mismatch[] {
    this.steps = 0;
    this.budget.receive(partsOf(value));
    const { failure } = this.run(node, value, this.outermost, true);
    return failure === undefined ? [] : mismatchesOf(failure);
  }

  /** @param explains whether to collect failures instead of stopping at the first one */
  private run(root: SchemaNode, value: JsonValue, around: Scope, explains: boolean): Outcome {
    const { stack } = this;
    stack.length = 0; // a value whose check threw left its frames
    let outcome = this.enter(root, value, around, explains);
    for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
      if (outcome !== undefined) this.give(frame, outcome);
      outcome = this.advance(frame);
    }
    return outcome as Outcome;
  }

  /** Begins to apply a schema to a value. Returns the outcome if that is all, or `undefined` after opening a frame. */
  private enter(node: SchemaNode, value: JsonValue, around: Scope, explains: boolean): Outcome | undefined {
    this.step();
    const scope = this.document.isDynamic ? around.enter(node.resource) : around;
    const results = node.shared ? this.resultsOf(node, scope) : undefined;
    const known = results?.get(value);
    if (known === open) throw loop(node);
    if (known !== undefined && (known.valid || !explains || known.failure !== undefined)) return known;
    const program = (node.program ??= compile(this.document, node));
    const kind = kindOf(value);
    const failed = explains ? ([] as Check[]) : undefined;
    for (const check of program.checks) {
      const { subject } = check;
      if ((subject.kinds & kind) === 0 || check.passes(subject.of(value), this.canon)) continue;
      if (failed === undefined) return mismatch;
      failed.push(check);
    }
    if ((program.kinds & kind) !== 0) {
      results?.set(value, open);
      this.stack.push(new Frame(node, value, scope, program, this.document.hasUnevaluated, failed));
      return undefined;
    }
    if (failed === undefined || failed.length === 0) return match;
    return { valid: false, failure: { node, value, checks: failed, parts: [] } };
  }

  /** Continues a frame. Returns its outcome if it is complete, or `undefined` after opening a frame for a child. */
  private advance(frame: Frame): Outcome | undefined {
    for (let applicator = frame.applicator; applicator !== undefined; applicator = frame.applicator) {
      if ((applicator.kinds & frame.kind) !== 0) {
        const size = applicator.size(frame);
        while (!frame.decided && frame.index < size) {
          this.step();
          const child = frame.select(applicator);
          if (child === undefined) continue;
          const outcome = this.enter(child, frame.part, frame.scope, frame.explains && !child.shared);
          if (outcome === undefined) return undefined;
          this.give(frame, outcome);
        }
        if (!frame.conclude(applicator)) break;
      }
      frame.next();
    }
    this.stack.pop();
    const outcome = frame.outcome();
    if (frame.node.shared) this.resultsOf(frame.node, frame.scope).set(frame.value, outcome);
    return outcome;
  }

  /** Hands the outcome of the selected child to its frame. */
  private give(frame: Frame, outcome: Outcome): void {
    const { child, part, scope } = frame;
    const isUnexplained = frame.explains && !outcome.valid && outcome.failure === undefined;
    if (!isUnexplained || child === undefined) frame.take(outcome);
    else {
      const explain = (): SchemaFailure | undefined => this.run(child, part, scope, true).failure;
      frame.take({ valid: false, failure: failureLater(child, part, explain) });
    }
  }

  private resultsOf(node: SchemaNode, scope: Scope): Results {
    const byNode = getOrInsert(this.results, scope, () => new Map<SchemaNode, Results>());
    return getOrInsert(byNode, node, () => new Map<JsonValue, Outcome>());
  }

  private step(): void {
    this.steps++;
    if (this.budget.pays(1)) return;
    throw new SchemaError("too_complex", `Checking this value takes too many steps: ${this.budget.problem}`);
  }
}

/** The value itself, and its parts, whose own parts are checked and counted by themselves. */
function partsOf(value: JsonValue): number {
  return isContainer(value) ? 1 + Object.keys(value).length : 1;
}

type Results = Map<JsonValue, Outcome>;

/** The result while a schema is applied to the value. */
const open: Outcome = { valid: false };

function compile(document: SchemaDocument, node: SchemaNode): Program {
  const { schema, resource } = node;
  if (schema === true) return { checks: [], applicators: [], kinds: 0 };
  if (schema === false) return { checks: [nothing], applicators: [], kinds: 0 };
  const applicators = applicatorsOf(document, node);
  const kinds = applicators.reduce((all, each) => all | each.kinds, 0);
  const known = knownKeywords(schema, resource.draft);
  const checks = [keywords, containerKeywords].flatMap((table) => checksOf(known, jsonSchemaDialect, table));
  return { checks, applicators, kinds };
}

const nothing: Check = {
  keyword: "false",
  subject: anyValue,
  code: "no_match",
  limit: undefined,
  passes: () => false,
  mayPass: undefined,
  expected: () => "no value",
};

function loop({ pointer }: SchemaNode): SchemaError {
  return new SchemaError("bad_schema", `The schema at ${placeOf(pointer)} refers to itself without end.`);
}

/** Evaluations took half the time after a collection while one and a frame stay alive. */
function createEvaluation(): unknown {
  const document = new SchemaDocument({});
  const frame = new Frame(document.root, null, new Scope(), compile(document, document.root), false);
  return [new Evaluation(document, new WorkBudget()), frame];
}
