import type { Payer } from "../../tree/work-budget.js";
import type { JsonArray, JsonObject, JsonValue } from "../value.js";

/** The parts of the work of a patch. */
export interface PatchWork {
  /** A container that is copied. */
  readonly copy: JsonArray | JsonObject;
  /** A container whose keys are counted, or whose members are looked at. */
  readonly keys: object;
  /** A number of elements that move by one place. */
  readonly shift: number;
  /** A value that is in two places then. */
  readonly share: JsonValue;
}

export type PaidPart = keyof PatchWork;

/** Pays for each part of a patch before it is done. Returns the problem if that takes too much. */
export type PatchPayer = Partial<FullPayer>;

type FullPayer = { readonly [Part in PaidPart]: (of: PatchWork[Part]) => string | undefined };

/** Pays for patches from a budget. In debt, a long container is not even counted. */
export function patchPayer(payer: Payer): FullPayer {
  const unless = (isPaid: boolean): string | undefined => (isPaid ? undefined : payer.problem);
  return {
    copy: (container) => unless(payer.pays(1) && payer.pays(workPerMember * membersIn(container))),
    keys: (of) =>
      unless(payer.pays(1) && payer.pays(workPerKey * (Array.isArray(of) ? of : Object.keys(of)).length)),
    shift: (elements) => unless(elements === 0 || payer.pays(workPerElement * elements)),
    share: (value) =>
      unless(payer.copyWork === undefined || payer.pays(payer.copyWork(value as never, payer.room))),
  };
}

/** Copies of containers, in members of an object. A copy of 25 elements of an array takes as long as one of these. */
export function membersIn(container: JsonArray | JsonObject): number {
  return Array.isArray(container) ? container.length / 25 : Object.keys(container).length;
}

/** To copy a member takes 100 ns in a small object and 400 ns in a large one, to read a character 10 ns. */
const workPerMember = 20;
const workPerKey = 4;
/** To move 50,000 elements by one place takes 20 µs. */
const workPerElement = 0.04;
