import type { AnyPatchOperation } from "../../json/patch/patch.js";
import { type JsonValue, valueAt } from "../../json/value.js";
import { getOrInsert } from "../../tree/made-once.js";
import { parsePointer } from "../../tree/pointer.js";
import type { StreamedLine } from "./streamed-line.js";

/**
 * Whole lines whose place does not exist yet. Each is kept at the place that it misses, so it is looked at again only
 * when the value there may have come, however many lines wait.
 */
export class WaitingLines {
  private readonly lines = new Set<StreamedLine>();
  private root = new MissingPlace();
  /** The lines to look at again, in the order of the text. */
  private ready: StreamedLine[] = [];

  get size(): number {
    return this.lines.size;
  }

  has(line: StreamedLine): boolean {
    return this.lines.has(line);
  }

  /** All lines, in the order of the text. */
  all(): readonly StreamedLine[] {
    return inOrder(this.lines);
  }

  /** @param missing the keys of the place without which the line has none */
  add(line: StreamedLine, missing: readonly string[]): void {
    this.lines.add(line);
    missing.reduce((place, key) => place.inside(key), this.root).lines.push(line);
  }

  /** Takes the first line to look at again. */
  next(): StreamedLine | undefined {
    const first = this.ready.shift();
    if (first !== undefined) this.lines.delete(first);
    return first;
  }

  /** @param document the value after the operation */
  changed(operation: AnyPatchOperation, document: JsonValue): void {
    if (this.lines.size === 0) return;
    const found = changedPlaces(operation, document).flatMap((keys) => this.take(keys));
    if (found.length > 0) this.ready = inOrder([...this.ready, ...found]);
  }

  /** Takes the lines that miss this place, or one inside it. */
  private take(keys: readonly string[]): StreamedLine[] {
    const way = [this.root];
    for (const key of keys) {
      const inner = way.at(-1)?.places.get(key);
      if (inner === undefined) return [];
      way.push(inner);
    }
    const found = way.slice(-1);
    for (const place of found) found.push(...place.places.values()); // the list grows
    if (keys.length === 0) this.root = new MissingPlace();
    // Places at which no line is left are dropped.
    for (let i = way.length - 2; i >= 0; i--) {
      const around = way[i] as MissingPlace;
      around.places.delete(keys[i] as string);
      if (around.places.size > 0 || around.lines.length > 0) break;
    }
    return found.flatMap(({ lines }) => lines);
  }
}

/** A place that lines miss, and those inside it that others do. */
class MissingPlace {
  readonly lines: StreamedLine[] = [];
  readonly places = new Map<string, MissingPlace>();

  inside(key: string): MissingPlace {
    return getOrInsert(this.places, key, () => new MissingPlace());
  }
}

function inOrder(lines: Iterable<StreamedLine>): StreamedLine[] {
  return [...lines].sort((a, b) => a.place.operation - b.place.operation);
}

/** The places that may have come with an operation: those with a new value, and all places inside them. */
function changedPlaces(operation: AnyPatchOperation, document: JsonValue): (readonly string[])[] {
  switch (operation.op) {
    case "append":
    case "test":
      return [];
    case "remove":
      return movedBy(operation.path, document);
    case "move":
      return [...movedBy(operation.from, document), addedAt(operation.path, document)];
    case "replace":
      return [parsePointer(operation.path)];
    default:
      return [addedAt(operation.path, document)];
  }
}

/** In a list, the elements after one that was removed are at other places. */
function movedBy(path: string, document: JsonValue): (readonly string[])[] {
  const list = parsePointer(path).slice(0, -1);
  return Array.isArray(valueAt(document, list)) ? [list] : [];
}

/** An element that was added before others has moved them. */
function addedAt(path: string, document: JsonValue): readonly string[] {
  const keys = parsePointer(path);
  const around = keys.slice(0, -1);
  const list = keys.length === 0 ? undefined : valueAt(document, around);
  return Array.isArray(list) && keys.at(-1) !== String(list.length - 1) ? around : keys;
}
