import { fast } from "../../json/fast/fast-paths.js";
import type { JsonCoercion } from "../../json/coercion.js";
import type { JsonParseError } from "../../json/errors.js";
import type { JsonParserOptions } from "../../json/options.js";
import type { JsonPatch } from "../../json/patch/patch.js";
import type { JsonRepair } from "../../json/repair.js";
import type { JsonValue } from "../../json/value.js";
import { MAX_REPAIRS } from "../../messages/merge/arguments.js";
import { repair } from "../../lenient/repair.js";
import { shapesOf } from "../../schema/adapters/shapes-of.js";
import { guardOf, guardOfSchema } from "../../schema/guard-of.js";
import { unionOf } from "../../schema/union-of.js";
import { madeOnce } from "../../tree/made-once.js";
import type { JsonGuard } from "../../json/guard.js";
import type { SchemaViolation } from "../../schema/guard/violation.js";
import type { StructuredEvent, StructuredItemEvent } from "../events.js";
import type { Plan } from "./plan.js";
import type { TargetSchema } from "./target.js";

/** A part of an answer that may be the structured response: the text, or a call. */
export interface ResponseSource {
  /** The error of parsing or validating it. */
  failure: JsonParseError | SchemaViolation | undefined;
  /** The known part of the response. Immutable. */
  snapshot(): JsonValue | undefined;
  /** The changes since the last call. */
  takePatch(): JsonPatch;
  /** The elements that were completed since the last call. */
  takeItems(): readonly StructuredItemEvent[];
  /** The changes that were necessary to read the response, as fields of an event. */
  changes(): ResponseChanges;
}

export type ResponseChanges = Pick<StructuredEvent, "repairs" | "coercions">;

/** Collects what the parser of a response reports. */
export interface ResponseReports {
  /** The options of a parser that reports its coercions, and the elements of arrays if the plan asks for them. */
  readonly of: (options: JsonParserOptions) => JsonParserOptions;
  readonly onRepair: (repair: JsonRepair) => void;
  readonly onCoerce: (coercion: JsonCoercion) => void;
  readonly takeItems: () => readonly StructuredItemEvent[];
  /** @param repairs those of the response, if the parser that made them has its own list */
  readonly changes: (repairs?: readonly JsonRepair[]) => ResponseChanges;
}

/** The options of a parser that reads a response with this schema. */
export function parserOptions(plan: Plan, { schema }: TargetSchema): JsonParserOptions {
  const { append, coerce, locale, failFast } = plan;
  const guard = guardOfSchema(schema);
  const guarded: JsonGuard = (next, reading) => guard(guardOfMembers(plan)(next), reading);
  return {
    ...{ repair, fast, append, coerce },
    ...(locale !== undefined && { locale }),
    ...(failFast && { guard: discriminatorsOf(plan).length > 0 ? guarded : guard }),
  };
}

/**
 * Waits for the discriminators of several schemas, as the guard of their union does: the types of partial values promise
 * them. Otherwise it accepts any object, as each of the schemas does.
 */
export const guardOfMembers: (plan: Plan) => JsonGuard = madeOnce((plan: Plan) => {
  const properties = Object.fromEntries(discriminatorsOf(plan).map((key) => [key, { stream: "required" }]));
  return guardOf({ type: "object", properties });
});

/** The guard of a single schema knows its own. */
const discriminatorsOf = madeOnce(({ targets }: Plan) =>
  targets.length > 1 ? shapesOf(unionOf(targets.map(({ schema }) => schema))).root.discriminators : [],
);

export function responseReports(plan: Plan): ResponseReports {
  const reported: JsonRepair[] = [];
  const coercions: JsonCoercion[] = [];
  let items: StructuredItemEvent[] = [];
  const onCoerce = (coercion: JsonCoercion): void => {
    if (coercions.length < MAX_REPAIRS) coercions.push(coercion);
  };
  return {
    onCoerce,
    of: (options) => ({
      ...options,
      onCoerce,
      ...(plan.items && {
        onComplete: (pointer, value, isElement) => {
          if (isElement) items.push({ type: "structured_item", pointer, value });
        },
      }),
    }),
    onRepair(repair) {
      if (reported.length < MAX_REPAIRS) reported.push(repair);
    },
    takeItems() {
      if (items.length === 0) return noItems;
      const taken = items;
      items = [];
      return taken;
    },
    changes: (repairs = reported) => ({
      ...(repairs.length > 0 && { repairs }),
      ...(coercions.length > 0 && { coercions }),
    }),
  };
}

const noItems: readonly StructuredItemEvent[] = [];
