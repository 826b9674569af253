import type { JsonCoercion } from "../../json/coercion.js";
import type { JsonParseError } from "../../json/errors.js";
import type { JsonParserOptions } from "../../json/options.js";
import type { JsonPatch } from "../../json/patch/patch.js";
import type { JsonRepair } from "../../json/repair.js";
import type { JsonValue } from "../../json/value.js";
import { MAX_REPAIRS } from "../../messages/merge/arguments.js";
import type { SchemaViolation } from "../../schema/guard/violation.js";
import type { StructuredEvent, StructuredItemEvent } from "../events.js";
import type { Plan } from "./plan.js";

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
  readonly changes: ResponseChanges;
}

type ResponseChanges = Pick<StructuredEvent, "repairs" | "coercions">;

/** Collects what the parser of a response reports. */
export class ResponseReports {
  private readonly plan: Plan;
  private readonly repairs: JsonRepair[] = [];
  private readonly coercions: JsonCoercion[] = [];
  private items: StructuredItemEvent[] = [];

  constructor(plan: Plan) {
    this.plan = plan;
  }

  /** The options of a parser that reports its coercions, and the elements of arrays if the plan asks for them. */
  of(options: JsonParserOptions): JsonParserOptions {
    return {
      ...options,
      onCoerce: (coercion) => {
        if (this.coercions.length < MAX_REPAIRS) this.coercions.push(coercion);
      },
      ...(this.plan.items && {
        onComplete: (pointer, value, isElement) => {
          if (isElement) this.items.push({ type: "structured_item", pointer, value });
        },
      }),
    };
  }

  readonly onRepair = (repair: JsonRepair): void => {
    if (this.repairs.length < MAX_REPAIRS) this.repairs.push(repair);
  };

  takeItems(): readonly StructuredItemEvent[] {
    if (this.items.length === 0) return noItems;
    const { items } = this;
    this.items = [];
    return items;
  }

  /** @param repairs those of the response, if the parser that made them has its own list */
  changes(repairs: readonly JsonRepair[] = this.repairs): ResponseChanges {
    const { coercions } = this;
    return { ...(repairs.length > 0 && { repairs }), ...(coercions.length > 0 && { coercions }) };
  }
}

const noItems: readonly StructuredItemEvent[] = [];
