import { kindOf } from "../../json/build/kinds.js";
import type { JsonObject, JsonValue } from "../../json/value.js";
import { SchemaError } from "../errors.js";
import { placeOf } from "../schema.js";
import { keysOf } from "../values.js";
import type { Check } from "../keywords/keywords.js";
import type { Applicator, Cursor, Program, Reference, SchemaNode } from "./schema-node.js";
import type { Scope } from "./scope.js";

/** Whether a schema matches a value. */
export interface Outcome {
  readonly valid: boolean;
  /** The members and elements that the schema evaluated, if it matches and a schema asks for them. */
  readonly evaluated?: ReadonlySet<string | number>;
  /** Why it does not match, if the caller wants to know. */
  readonly failure?: SchemaFailure;
}

/** Why a schema does not match a value. Places are relative, because the same failure may be at several. */
export interface SchemaFailure {
  readonly node: SchemaNode;
  readonly value: JsonValue;
  readonly checks: readonly Check[];
  readonly parts: readonly FailedPart[];
}

/** Why a keyword that applies other schemas does not match. */
export interface FailedPart {
  readonly applicator: Applicator;
  readonly matched: number;
  readonly children: readonly FailedChild[];
}

export interface FailedChild {
  /** The key or index of the value; `undefined` for the value itself. */
  readonly key: string | number | undefined;
  readonly failure: SchemaFailure;
}

/** A failure that finds its reasons when somebody reads them. */
export function failureLater(
  node: SchemaNode,
  value: JsonValue,
  explain: () => SchemaFailure | undefined,
): SchemaFailure {
  let found: SchemaFailure | undefined;
  const reasons = (): SchemaFailure => (found ??= explain() ?? { node, value, checks: [], parts: [] });
  return {
    node,
    value,
    get checks() {
      return reasons().checks;
    },
    get parts() {
      return reasons().parts;
    },
  };
}

const MAX_FAILURES = 50;

export const match: Outcome = { valid: true };
export const mismatch: Outcome = { valid: false };

const none: readonly FailedChild[] = [];

/** A schema that is being applied to a value. */
export class Frame implements Cursor {
  readonly node: SchemaNode;
  readonly value: JsonValue;
  readonly kind: number;
  readonly scope: Scope;
  child: SchemaNode | undefined = undefined;
  part: JsonValue;
  key: string | number | undefined = undefined;
  /** The index of the next child of the current applicator. */
  index = 0;
  matched = 0;
  /** Whether no further child can change the result of the current applicator. */
  decided = false;
  evaluated: Set<string | number> | undefined = undefined;

  private readonly applicators: readonly Applicator[];
  private readonly collects: boolean;
  private readonly failedChecks: readonly Check[] | undefined;
  private failedParts: FailedPart[] | undefined = undefined;
  private isValid = true;
  /** The index of the current applicator, how many of its children do not match, and why. */
  private at = 0;
  private failed = 0;
  private failures: readonly FailedChild[] = none;
  private ownKeys: readonly string[] | undefined = undefined;

  /**
   * @param collects whether to collect what is evaluated
   * @param failedChecks the checks that failed; `undefined` to stop at the first failure
   */
  constructor(
    node: SchemaNode,
    value: JsonValue,
    scope: Scope,
    { applicators }: Program,
    collects: boolean,
    failedChecks?: readonly Check[],
  ) {
    this.node = node;
    this.value = value;
    this.part = value;
    this.kind = kindOf(value);
    this.scope = scope;
    this.applicators = applicators;
    this.collects = collects;
    this.failedChecks = failedChecks;
  }

  get explains(): boolean {
    return this.failedChecks !== undefined;
  }

  get keys(): readonly string[] {
    return (this.ownKeys ??= keysOf(this.value as JsonObject));
  }

  get applicator(): Applicator | undefined {
    return this.applicators[this.at];
  }

  select(applicator: Applicator): SchemaNode | undefined {
    this.part = this.value;
    this.key = undefined;
    return (this.child = applicator.select(this, this.index++));
  }

  follow({ keyword, uri, target, dynamicName }: Reference): SchemaNode {
    if (target === undefined) {
      throw new SchemaError(
        "bad_schema",
        `Expected a schema at ${JSON.stringify(uri)}, the ${keyword} at ${placeOf(this.node.pointer)}, but there is none.`,
      );
    }
    return (dynamicName === undefined ? undefined : this.scope.targetOf(dynamicName)) ?? target;
  }

  /** Counts the outcome of the selected child. */
  take({ valid, evaluated, failure }: Outcome): void {
    const applicator = this.applicator as Applicator;
    const isCondition = applicator.quantifier === "condition" && this.index === 1;
    if (valid) {
      this.matched++;
      if (this.collects) this.mark(applicator, evaluated);
    } else if (!isCondition) {
      this.failed++;
      if (failure !== undefined) this.addFailure(failure);
    }
    this.decided = this.isDecided(applicator);
  }

  /** Ends the current applicator. Returns whether to continue with the next. */
  conclude(applicator: Applicator): boolean {
    if (this.passes(applicator)) return true;
    const isFirst = this.isValid;
    this.isValid = false;
    if (this.failedChecks === undefined) return false;
    // A failed keyword does not tell which members and elements it would have evaluated.
    const isLeftover = applicator.keyword.startsWith("unevaluated") && !isFirst;
    const part = { applicator, matched: this.matched, children: this.failures };
    if (!isLeftover) (this.failedParts ??= []).push(part);
    return true;
  }

  next(): void {
    this.at++;
    this.index = this.matched = this.failed = 0;
    this.decided = false;
    this.failures = none;
  }

  outcome(): Outcome {
    const { node, value, evaluated, failedChecks: checks, failedParts: parts = [] } = this;
    if (this.isValid && !(checks !== undefined && checks.length > 0)) {
      return evaluated === undefined ? match : { valid: true, evaluated };
    }
    return checks === undefined ? mismatch : { valid: false, failure: { node, value, checks, parts } };
  }

  private addFailure(failure: SchemaFailure): void {
    if (this.failures === none) this.failures = [];
    (this.failures as FailedChild[]).push({ key: this.key, failure });
  }

  private mark({ marks }: Applicator, evaluated: Outcome["evaluated"]): void {
    if (marks === "part") (this.evaluated ??= new Set()).add(this.key as string | number);
    if (marks !== "same" || evaluated === undefined) return;
    this.evaluated ??= new Set();
    for (const key of evaluated) this.evaluated.add(key);
  }

  private isDecided({ quantifier }: Applicator): boolean {
    if (quantifier === "condition") return false;
    if (quantifier === "all") return this.failed >= (this.failedChecks === undefined ? 1 : MAX_FAILURES);
    const { min, max } = quantifier;
    return this.matched > max || (this.matched >= min && max === Infinity && !this.collects);
  }

  private passes({ quantifier }: Applicator): boolean {
    if (typeof quantifier === "string") return this.failed === 0;
    return this.matched >= quantifier.min && this.matched <= quantifier.max;
  }
}
