import type { JsonGuard } from "../../json/guard.js";
import { JsonParser } from "../../json/parser.js";
import type { AnyPatchOperation } from "../../json/patch/patch.js";
import { isContainer, isObject, type JsonObject, type JsonValue } from "../../json/value.js";
import { OperationProblem } from "../../parsers/patch-lines/line-error.js";
import type { LineContext, OpenPlace, StreamedLine } from "../../parsers/patch-lines/streamed-line.js";
import { childPointer, parsePointer } from "../../tree/pointer.js";
import type { A2uiCatalogueSchema } from "./a2ui-catalogue.js";
import type { A2uiKind } from "./a2ui-message.js";
import { type DataPlace, keysOfPath, type MissingElements, placeData, undoOfSetting } from "./data-place.js";
import { KeyGuard } from "./key-guard.js";
import {
  checkComponent,
  checkPath,
  checkVersion,
  kindSoFar,
  messageKindOf,
  notAMessage,
} from "./message-checks.js";
import { ShownDataValue } from "./shown-data-value.js";

/** One message while it is read. New components and values are applied to the surfaces as they grow. */
export class OpenMessage implements StreamedLine {
  readonly place: OpenPlace;
  private readonly context: LineContext;
  private readonly catalogue: A2uiCatalogueSchema;
  readonly parser: JsonParser;
  private kind: A2uiKind | undefined;
  /** For the index of each component that is shown, its place among the surfaces. */
  private readonly shown = new Map<number, string>();
  /** Components that have begun, and are not shown yet. */
  private readonly pending = new Set<number>();
  /** Components that are shown when they are complete. */
  private readonly held = new Set<number>();
  private value: ShownDataValue | undefined;
  private valueState: "none" | "pending" | "held" = "none";
  private surfacePointer: string | undefined;
  /** Whether this message has made its surface. */
  private madeSurface = false;
  /** The operations that take back what was shown, the last change first. */
  private undoing: AnyPatchOperation[] = [];

  constructor(place: OpenPlace, context: LineContext, catalogue: A2uiCatalogueSchema, guard: JsonGuard) {
    this.place = place;
    this.context = context;
    this.catalogue = catalogue;
    this.parser = new JsonParser({
      ...context.json,
      append: true,
      guard: (next, reading) => new KeyGuard(guard(next, reading)),
    });
  }

  get path(): string | undefined {
    this.kind ??= kindSoFar(this.parser.snapshot()); // a message that failed in its first chunk
    const { surfaceId, path } = this.body;
    if (typeof surfaceId !== "string") return undefined;
    const surface = childPointer("", surfaceId);
    return typeof path === "string" ? `${surface}/dataModel${path === "/" ? "" : path}` : surface;
  }

  get pointerLength(): number {
    return this.path?.length ?? 0;
  }

  get undo(): readonly AnyPatchOperation[] {
    return this.undoing;
  }

  grow(): void {
    if (!this.context.growing) return;
    this.growShown();
    if (this.kind === undefined || this.kind === "deleteSurface" || !this.isComplete("surfaceId")) return;
    for (const index of this.pending) this.beginComponent(index);
    if (this.valueState === "pending") this.beginValue();
  }

  finish(): "done" | readonly string[] {
    this.growShown();
    const message = this.parser.snapshot();
    const kind = messageKindOf(message);
    this.kind = kind;
    this.takeBackGuess();
    const missing = this.missingPlace();
    if (missing !== undefined) return missing;
    const { body } = this;
    const { components = [] } = body;
    checkVersion(message as JsonObject, this.context);
    if (kind === "deleteSurface") {
      if (this.at(this.surface) === undefined)
        throw new OperationProblem("misfit", "there is no such surface.");
      this.apply({ op: "remove", path: this.surface });
    }
    if (kind === "createSurface") this.finishSurface(body, message as JsonObject);
    const list = components as readonly JsonObject[];
    for (const component of list) checkComponent(component, this.placeOf(component), this.catalogue);
    for (const [index, component] of list.entries()) if (!this.shown.has(index)) this.setComponent(component);
    if (kind === "updateDataModel" || "dataModel" in body) this.finishValue(message as JsonObject);
    return "done";
  }

  missingPlace(): readonly string[] | undefined {
    if (this.kind === "createSurface" || this.kind === "deleteSurface") return undefined;
    if (this.at(this.surface) === undefined) return parsePointer(this.surface);
    if (this.kind !== "updateDataModel" || this.value !== undefined) return undefined;
    const place = this.findPlace();
    return "missing" in place ? parsePointer(place.missing) : undefined;
  }

  toText(): string {
    return JSON.stringify(this.parser.snapshot());
  }

  /** Applies the changes of what is shown already, and notes what else has begun. */
  private growShown(): void {
    const list = `/${this.kind ?? ""}/components`;
    const value = this.valuePointer;
    for (const operation of this.parser.takePatch()) {
      const { path } = operation;
      const index = path.startsWith(`${list}/`)
        ? Number.parseInt(path.slice(list.length + 1), 10)
        : undefined;
      if (index !== undefined) {
        const place = this.shown.get(index);
        if (place !== undefined)
          this.apply({ ...operation, path: place + path.slice(`${list}/${index}`.length) });
        else if (!this.held.has(index)) this.pending.add(index);
      } else if (path === value || path.startsWith(`${value}/`)) {
        if (this.value !== undefined) this.value.grow(operation, path.slice(value.length));
        else if (this.valueState === "none") this.valueState = "pending";
      } else if (path.split("/").length <= 3) this.noteParts(); // the message, its kind, or a part of it
    }
  }

  /** Several parts may have begun at once. */
  private noteParts(): void {
    this.kind ??= kindSoFar(this.parser.snapshot());
    const { components } = this.body;
    if (Array.isArray(components)) {
      for (const index of components.keys())
        if (!this.shown.has(index) && !this.held.has(index)) this.pending.add(index);
    }
    if (this.valueState === "none" && this.valueSoFar() !== undefined) this.valueState = "pending";
  }

  private beginComponent(index: number): void {
    const at = `components/${index}`;
    if (!this.isComplete(`${at}/id`) || !this.isComplete(`${at}/component`)) return;
    this.pending.delete(index);
    const component = (this.body["components"] as readonly JsonObject[])[index] as JsonObject;
    const place = this.placeOf(component);
    // A component that replaces another one is shown when it is complete, so that the old one stays until then.
    this.held.add(index);
    if (!this.hasSurface() || this.at(place) !== undefined) return;
    this.setComponent(component);
    this.shown.set(index, place);
  }

  private setComponent(component: JsonObject): void {
    const path = this.placeOf(component);
    const before = this.at(path);
    this.apply({ op: before === undefined ? "add" : "replace", path, value: component });
    this.undoing.unshift(
      before === undefined ? { op: "remove", path } : { op: "replace", path, value: before },
    );
  }

  private beginValue(): void {
    const value = this.valueSoFar();
    if (value === undefined || ("path" in this.body && !this.isComplete("path"))) return;
    this.valueState = "held";
    if (value === null) return; // it may remove
    const place = this.hasSurface() ? this.findValue() : undefined;
    // A value that would replace a container with members is shown when it is complete. Without a path so far, the
    // place is the whole model, unless a path follows.
    if (place === undefined || (isContainer(place.before) && Object.keys(place.before).length > 0)) return;
    this.setValue(place, value);
  }

  private setValue(place: DataPlace, value: JsonValue): void {
    this.undoing.unshift(...undoOfSetting(place));
    this.value = new ShownDataValue(this.context.document, place, value);
  }

  /** A value was shown as the whole model, and then its path followed. */
  private takeBackGuess(): void {
    if (this.value?.pointer !== `${this.surface}/dataModel` || this.keysOfValue().length === 0) return;
    this.context.document.undo(this.undoing);
    this.undoing = [];
    this.value = undefined;
  }

  private finishValue(message: JsonObject): void {
    checkPath(this.body["path"], this.context);
    const value = this.valueSoFar();
    const place = this.value === undefined ? this.findValue() : undefined;
    if (value !== undefined && !(value === null && message["version"] === "v1.0")) {
      if (place !== undefined) this.setValue(place, value);
      this.value?.end();
      return;
    }
    if (place?.before === undefined) return;
    const { pointer, before, inList } = place;
    // A renderer keeps the places of the other elements.
    this.apply(inList ? { op: "replace", path: pointer, value: null } : { op: "remove", path: pointer });
    this.undoing.unshift({ op: inList ? "replace" : "add", path: pointer, value: before });
  }

  /** Where the value belongs. `undefined` if it has to wait. */
  private findValue(): DataPlace | undefined {
    const place = this.findPlace();
    return "missing" in place ? undefined : place;
  }

  private findPlace(): DataPlace | MissingElements {
    return placeData(this.context.document.value, `${this.surface}/dataModel`, this.keysOfValue());
  }

  private keysOfValue(): string[] {
    const { path } = this.body;
    return typeof path === "string" ? keysOfPath(path, this.context.json.maxDepth) : [];
  }

  /** The surface of the message; `createSurface` makes it, if its content grows. */
  private hasSurface(): boolean {
    if (this.kind === "createSurface" && !this.madeSurface) this.makeSurface(this.body);
    return this.at(this.surface) !== undefined;
  }

  private makeSurface({ surfaceId: _, components: _list, dataModel: _model, ...others }: JsonObject): void {
    const path = this.surface;
    if (this.at(path) !== undefined) {
      throw new OperationProblem("misfit", `there is a surface ${path.slice(1)} already.`);
    }
    this.madeSurface = true;
    const complete = Object.entries(others).filter(([key]) => this.isComplete(key));
    this.apply({
      op: "add",
      path,
      value: { ...Object.fromEntries(complete), components: {}, dataModel: {} },
    });
    this.undoing.unshift({ op: "remove", path });
  }

  private finishSurface(body: JsonObject, message: JsonObject): void {
    if (!("catalogId" in body) && message["version"] !== "v1.0") throw notAMessage('it has no "catalogId".');
    if (!this.madeSurface) this.makeSurface(body);
    const { surfaceId: _, components: _list, dataModel: _model, ...others } = body;
    for (const [key, value] of Object.entries(others)) {
      const path = childPointer(this.surface, key);
      if (this.at(path) === undefined) this.apply({ op: "add", path, value });
    }
  }

  /** The object under the kind, so far. */
  private get body(): JsonObject {
    const message = this.parser.snapshot();
    const body = isObject(message) && this.kind !== undefined ? message[this.kind] : undefined;
    return isObject(body) ? body : {};
  }

  private get valuePointer(): string {
    return this.kind === "createSurface" ? "/createSurface/dataModel" : "/updateDataModel/value";
  }

  private valueSoFar(): JsonValue | undefined {
    return this.body[this.kind === "createSurface" ? "dataModel" : "value"];
  }

  private get surface(): string {
    return (this.surfacePointer ??= childPointer("", this.body["surfaceId"] as string));
  }

  private placeOf(component: JsonObject): string {
    return childPointer(`${this.surface}/components`, component["id"] as string);
  }

  private isComplete(inBody: string): boolean {
    return this.parser.isComplete(`/${this.kind ?? ""}/${inBody}`);
  }

  private at(pointer: string): JsonValue | undefined {
    return this.context.document.at(pointer);
  }

  private apply(operation: AnyPatchOperation): void {
    this.context.document.apply(operation);
  }
}
