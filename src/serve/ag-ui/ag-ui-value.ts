import type { AnyPatchOperation, RfcPatchOperation } from "../../json/patch/patch.js";
import { type ForeignClient, Projection, rfcAbilities } from "../../json/patch/project.js";
import { isObject, type JsonValue } from "../../json/value.js";
import { childPointer } from "../../tree/pointer.js";

/** AG-UI's client applies patches with fast-json-patch, which refuses these keys in a path. */
const client: ForeignClient = {
  name: "AG-UI",
  can: rfcAbilities,
  refusesKey: (key, around) => key === "__proto__" || (key === "prototype" && around === "constructor"),
};

/** Where a client of AG-UI shows a value. */
export interface AgUiValuePlace<Event> {
  /** The content without the value. A member for the value is added to it. */
  readonly before: JsonValue;
  /** The member that holds the value. `undefined`: it is shown alone. */
  keyOf(value: JsonValue): string | undefined;
  snapshot(content: JsonValue): Event;
  delta(patch: readonly RfcPatchOperation[]): Event;
}

/** A value that grows in the state or in an activity of a client. */
export class AgUiValue<Event> {
  private readonly place: AgUiValuePlace<Event>;
  /** `undefined` while no value is shown. */
  private projection: Projection | undefined;
  /** The member that holds the value in the last snapshot. */
  private key: string | undefined;

  constructor(place: AgUiValuePlace<Event>) {
    this.place = place;
  }

  /** Converts a change of the value: a delta, or a snapshot where the value starts. */
  change(patch: readonly AnyPatchOperation[]): Event {
    const isShown = this.projection !== undefined;
    this.projection ??= new Projection(client);
    const operations = this.projection.next(patch) as readonly RfcPatchOperation[];
    if (!isShown || this.key === "__proto__" || operations.some(({ path }) => path === "")) {
      return this.place.snapshot(this.content(this.projection.snapshot() ?? null));
    }
    const root = this.key === undefined ? "" : childPointer("", this.key);
    const placed = operations.map((each) => ({
      ...each,
      path: root + each.path,
      ...("from" in each && { from: root + each.from }),
    }));
    return this.place.delta(placed);
  }

  /** Takes back what was shown. */
  clear(): Event {
    this.projection = undefined;
    return this.place.snapshot(this.place.before);
  }

  private content(value: JsonValue): JsonValue {
    const { before } = this.place;
    this.key = this.place.keyOf(value);
    if (this.key === undefined) return value;
    return { ...(isObject(before) ? before : undefined), [this.key]: value };
  }
}
