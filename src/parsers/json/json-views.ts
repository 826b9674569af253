import type { DeepPartial } from "../../json/deep-partial.js";
import type { JsonPatch } from "../../json/patch/patch.js";
import { SnapshotPace } from "../../json/snapshot-pace.js";
import type { ItemAt, ItemsPointer } from "../../json/typed-pointer.js";
import type { JsonValue } from "../../json/value.js";
import type { SchemaCheck } from "../../schema/adapters/schema-check.js";
import type { Shapes } from "../../schema/guard/shape.js";
import { requireArrayAt } from "../../schema/part/declared-at.js";
import type { Schema } from "../../schema/schema.js";
import { noop } from "../../stream/core/result.js";
import type { Operator } from "../../stream/operator.js";
import { mapAsync } from "../../stream/operators/map-async.js";
import { pipe } from "../../stream/pipe.js";
import { keepAlive } from "../../tree/keep-alive.js";
import { parsePointer } from "../../tree/pointer.js";
import { check } from "../check.js";
import type { Chunk } from "../output-parser.js";
import { patches, snapshots } from "../parser-transform.js";
import { itemsAt } from "./json-items.js";
import { jsonStage, type JsonSource, type JsonView } from "./json-stage.js";

/**
 * The views of a stream of JSON.
 *
 * @typeParam Input the type of the value that the model writes
 * @typeParam Output the type of the checked value, after transforms and defaults
 */
export interface JsonViews<Input, Output> {
  /**
   * Yields an immutable snapshot of the value after each chunk that changed it. Unchanged parts are the same objects as
   * in the snapshot before. Objects with more than 128 members yield fewer, unless `everyChunk` is set.
   */
  readonly stream: Operator<Chunk, DeepPartial<Input>>;
  /** Yields a JSON Patch (RFC 6902) after each chunk that changed the value, with `append` if that option is set. */
  readonly patches: Operator<Chunk, JsonPatch>;
  /** Yields the checked value once, at the end. */
  readonly final: Operator<Chunk, Output>;
  /**
   * Yields each element of the array at a JSON Pointer (RFC 6901) once, as soon as it is complete. The type of the
   * elements comes from the schema and the pointer: `items("/steps")`. Elements are what the model wrote; with an
   * `itemSchema` each is checked, and transforms and defaults are applied.
   *
   * A missing array and `null` yield nothing. Any other value there ends the stream with `not_an_array`.
   *
   * A literal pointer that the schema rules out does not compile. Others are checked against the schema when the
   * operator is created.
   *
   * @throws {TypeError} if the pointer is malformed, or the schema rules out an array there
   */
  items<const Pointer extends string>(
    pointer: ItemsPointer<Input, Pointer>,
  ): Operator<Chunk, ItemAt<Input, Pointer>>;
  items<const Pointer extends string, Item>(
    pointer: ItemsPointer<Input, Pointer>,
    itemSchema: SchemaCheck<unknown, Item>,
  ): Operator<Chunk, Item>;
}

/** The parts of which the views are made. */
export interface JsonViewParts extends JsonSource {
  /** The shapes of the schema, for the check of a pointer. */
  readonly shapes: () => Shapes | undefined;
  readonly everyChunk: boolean;
}

/** @param schemaOfItem reads the second argument of `items()` */
export function jsonViews(
  parts: JsonViewParts,
  schemaOfItem: (itemSchema: never) => Schema<unknown>,
): JsonViews<unknown, unknown> {
  const { shapes, everyChunk } = parts;
  return {
    stream: jsonStage<JsonValue>(parts, everyChunk ? snapshots : pacedSnapshots) as Operator<Chunk, never>,
    patches: jsonStage(parts, () => patches),
    final: jsonStage<unknown>(
      parts,
      () => ({ show: noop }),
      (result, emit) => emit(result),
    ),
    items: (pointer: string, itemSchema?: unknown): Operator<Chunk, never> => {
      const keys = parsePointer(pointer);
      const known = shapes();
      if (known !== undefined) requireArrayAt(known, keys);
      const items = jsonStage(parts, itemsAt(pointer, keys)) as Operator<Chunk, never>;
      if (itemSchema === undefined) return items;
      const schemaOfEach = schemaOfItem(itemSchema as never);
      return (source) =>
        pipe(
          source,
          items,
          mapAsync((item) => check(schemaOfEach, item) as Promise<never>),
        );
    },
  };
}

/** Emits snapshots at a pace at which their cost is linear in the text. */
function pacedSnapshots(): JsonView<JsonValue> {
  keepAlive("paced snapshots", createPacedSnapshots);
  return createPacedSnapshots();
}

function createPacedSnapshots(): JsonView<JsonValue> {
  const all = snapshots<JsonValue>();
  const pace = new SnapshotPace();
  return {
    show(parser, emit, characters) {
      pace.add(characters);
      if (characters === 0 || pace.isDue(parser.openMembers)) all.show(parser, emit, characters);
    },
  };
}
