import type { JsonValue } from "../value.js";

// `Builder` (json/build/builder.ts) makes patches while a text is parsed. This folder applies, compares and converts them.

/**
 * An operation that a stream applies to a document: those of RFC 6902 that a growing value needs, and `append`.
 *
 * - `add`: a property or an array element appears.
 * - `replace`: the root appears (`path: ""`), a string grows, or a key is repeated.
 * - `append` (only with the option `append`): a string grows by `value`. RFC 6902 has no such operation; with `replace`
 *   alone the bytes on the wire are quadratic in the length of the string. `expandAppends()` turns it into `replace`.
 */
export type JsonPatchOperation =
  | { readonly op: "add"; readonly path: string; readonly value: JsonValue }
  | { readonly op: "replace"; readonly path: string; readonly value: JsonValue }
  | { readonly op: "append"; readonly path: string; readonly value: string };

/** An operation of RFC 6902, or `append`, which extends a string. */
export type AnyPatchOperation =
  | JsonPatchOperation
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "move" | "copy"; readonly from: string; readonly path: string }
  | { readonly op: "test"; readonly path: string; readonly value: JsonValue };

/** An operation of RFC 6902 that a growing value needs. */
export type StandardPatchOperation = Exclude<JsonPatchOperation, { op: "append" }>;

/** Any operation of RFC 6902. */
export type RfcPatchOperation = Exclude<AnyPatchOperation, { op: "append" }>;

/** The value of an operation, or the place that its value comes from. `undefined` for a `remove`. */
export function operandOf(operation: AnyPatchOperation): JsonValue | undefined {
  if (operation.op === "remove") return undefined;
  return "from" in operation ? operation.from : operation.value;
}

/** Operations, applied in order. */
export type JsonPatch = readonly JsonPatchOperation[];

/** The type of a parameter for patches. For a stream of anything else, the compiler's error names the view to write. */
export type PatchesOnly<Source> =
  Source extends AsyncIterable<infer Item>
    ? [Item] extends [readonly AnyPatchOperation[]]
      ? Source
      : "These are not patches. Write .patches of the parser, the call or the agent."
    : Source;
