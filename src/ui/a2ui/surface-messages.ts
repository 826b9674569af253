import { GrowingValue } from "../../json/patch/growing-value.js";
import type { AnyPatchOperation } from "../../json/patch/patch.js";
import { generous, measurePatch } from "../../json/patch/measure-value.js";
import { type ForeignClient, payContainer, settablePlace, settingsOf } from "../../json/patch/project.js";
import { isObject, type JsonObject, type JsonValue, valueAt } from "../../json/value.js";
import { getOrInsert } from "../../tree/made-once.js";
import { parsePointer } from "../../tree/pointer.js";
import { WorkBudget } from "../../tree/work-budget.js";
import type { A2uiCatalogueSchema } from "./a2ui-catalogue.js";
import type { A2uiMessage } from "./a2ui-message.js";
import { dataModelOf, dataUpdate } from "./data-updates.js";

/** Writes the changes of surfaces, as `fromA2ui()` yields them, as messages. */
export class SurfaceMessages {
  private readonly catalogue: A2uiCatalogueSchema;
  private readonly version: A2uiMessage["version"];
  private readonly client: ForeignClient;
  private readonly emit: (message: A2uiMessage) => void;
  private readonly budget = new WorkBudget(generous);
  private readonly surfaces = new GrowingValue(undefined, this.budget);
  /** The changes of each surface that are not sent yet. */
  private readonly changes = new Map<string, SurfaceChanges>();
  /** The surface and id of the component that changed last. It may still be incomplete. */
  private open: readonly [surfaceId: string, id: string] | undefined;

  constructor(
    catalogue: A2uiCatalogueSchema,
    version: A2uiMessage["version"],
    emit: (message: A2uiMessage) => void,
  ) {
    this.catalogue = catalogue;
    this.version = version;
    this.client = dataModelOf(version);
    this.emit = emit;
  }

  next(patch: readonly AnyPatchOperation[]): void {
    this.budget.receive(measurePatch(patch));
    for (const operation of patch) {
      if (operation.op === "test") continue;
      const keys = parsePointer(operation.path);
      const from = operation.op === "move" ? [parsePointer(operation.from)] : [];
      const places = [...from, keys];
      if (places.some(({ length }) => length < 2)) this.flush(false);
      const before = this.surfaces.value;
      const replaced = replacedIn(before, places); // now, as patches may change `before` in place
      for (const each of from) this.note("remove", each, before);
      this.note("from" in operation ? "add" : operation.op, keys, before);
      this.surfaces.apply([operation]);
      for (const surfaceId of replaced) this.delete(surfaceId);
      for (const surfaceId of replacedIn(this.surfaces.value, places)) this.create(surfaceId);
    }
    this.flush(false);
  }

  end(): void {
    this.flush(true);
  }

  private note(op: AnyPatchOperation["op"], keys: readonly string[], before: JsonValue | undefined): void {
    const [surfaceId, region, id] = keys;
    if (surfaceId === undefined || region === undefined) return;
    const changes = this.changesOf(surfaceId);
    if (region === "dataModel") {
      this.open = undefined;
      const model = valueAt(before, [surfaceId, "dataModel"]);
      changes.data.push(settablePlace(this.client, op, keys.slice(2), model));
    } else if (region === "components" && id !== undefined) {
      changes.components.add(id);
      this.open = [surfaceId, id];
    }
  }

  private delete(surfaceId: string): void {
    this.changes.delete(surfaceId);
    this.emit({ version: this.version, deleteSurface: { surfaceId } });
  }

  private create(surfaceId: string): void {
    const surface = valueAt(this.surfaces.value, [surfaceId]);
    if (!isObject(surface)) return;
    const { components = {}, dataModel, ...others } = surface;
    this.emit({ version: this.version, createSurface: structuredClone({ ...others, surfaceId }) });
    const changes = this.changesOf(surfaceId);
    for (const id of Object.keys(components as JsonObject)) changes.components.add(id);
    if (isObject(dataModel) ? Object.keys(dataModel).length > 0 : dataModel !== undefined)
      changes.data.push([]);
  }

  /** @param all whether the component that changed last is complete */
  private flush(all: boolean): void {
    const { version } = this;
    for (const [surfaceId, { components, data }] of this.changes) {
      const ready: JsonObject[] = [];
      for (const id of components) {
        const component = valueAt(this.surfaces.value, [surfaceId, "components", id]);
        const isOpen = this.open?.[0] === surfaceId && this.open[1] === id;
        if (isObject(component)) {
          if (isOpen && !all && !this.catalogue.allows(component)) continue;
          ready.push(structuredClone(component));
        }
        components.delete(id);
      }
      if (ready.length > 0) this.emit({ version, updateComponents: { surfaceId, components: ready } });
      const model = valueAt(this.surfaces.value, [surfaceId, "dataModel"]);
      for (const operation of settingsOf(this.client, data, model)) {
        if ("value" in operation) payContainer(this.budget, operation.value, -1);
        this.emit(dataUpdate(version, surfaceId, operation));
      }
      data.length = 0;
      if (components.size === 0) this.changes.delete(surfaceId);
    }
  }

  private changesOf(surfaceId: string): SurfaceChanges {
    return getOrInsert(this.changes, surfaceId, () => ({ components: new Set(), data: [] }));
  }
}

interface SurfaceChanges {
  /** The ids of components that were not sent since they changed. */
  readonly components: Set<string>;
  /** The places in the data model that were not sent. */
  readonly data: (readonly string[])[];
}

/**
 * The surfaces that are deleted or created by a change at these places. A renderer has messages for a change of a component
 * and of the data; anything else of a surface is set when it is created.
 */
function replacedIn(value: JsonValue | undefined, places: readonly (readonly string[])[]): Set<string> {
  const surfaces = isObject(value) ? value : {};
  const ids = places.flatMap(([surfaceId, region, id]) => {
    if (surfaceId === undefined) return Object.keys(surfaces);
    const isUpdate = region === "dataModel" || (region === "components" && id !== undefined);
    return !isUpdate && Object.hasOwn(surfaces, surfaceId) ? [surfaceId] : [];
  });
  return new Set(ids);
}
