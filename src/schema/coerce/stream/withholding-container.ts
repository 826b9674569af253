import { OpenContainer } from "../../guard/open-container.js";
import type { Shape } from "../../guard/shape.js";
import { isOptional } from "../names.js";
import type { Reading } from "../reading.js";

/** A complete member or element, and how each alternative of its container reads it. */
export interface WithheldPart {
  readonly name: string | number;
  readonly readings: ReadonlyMap<number, PartReading>;
}

/**
 * A reading of a whole part, or of a part that is shown up to its first difference. Then `rest` are the withheld parts
 * of that container, which the next handler has still open. `value` is a number that equal rests share, so that the
 * containers around it need not compare the parts again.
 */
export interface PartReading extends Reading {
  readonly rest?: readonly NamedReading[];
}

export interface NamedReading {
  readonly name: string | number;
  readonly reading: PartReading;
}

/** The state of an open container whose alternatives may read its parts differently. */
export class WithholdingContainer extends OpenContainer {
  /** A list of one object that the text does not have. */
  isImplied = false;
  /** The complete members or elements that are withheld, because the alternatives read them differently. */
  withheldParts: WithheldPart[] | undefined;
  /** Their keys or indices. */
  readonly withheldNames = new Set<string | number>();
  /** The members whose keys were written differently, with those keys. */
  renamed: Map<string, string> | undefined;

  override open(shape: Shape, live: readonly number[], isArray: boolean): void {
    super.open(shape, live, isArray);
    this.isImplied = false;
    this.withheldParts = this.renamed = undefined;
    if (this.withheldNames.size > 0) this.withheldNames.clear();
  }

  /** The alternatives of an object that allow the current member to be absent. */
  get optional(): readonly number[] {
    if (this.isArray || this.has(this.key)) return [];
    return this.live.filter((i) => isOptional(this.shape.at(i), this.key));
  }

  /** A withheld member is left out. */
  forget(key: string): void {
    const slot = this.shape.slots.get(key);
    if (slot !== undefined) this.seen[slot] = 0;
  }
}
