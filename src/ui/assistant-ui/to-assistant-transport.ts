import { patched } from "../../json/patch/apply-patch.js";
import { checkPatch } from "../../json/patch/check-patch.js";
import { JsonPatchError } from "../../json/patch/patch-error.js";
import type { AnyPatchOperation } from "../../json/patch/patch.js";
import { isContainer, isObject, type JsonObject, type JsonValue, valueAt } from "../../json/value.js";
import {
  eventFormat,
  eventTexts,
  textResponse,
  type TextResponseOptions,
} from "../../serve/http/text-response.js";
import { errorAsItem } from "../../serve/run/error-as-item.js";
import { type OnRunError, toShownError } from "../../serve/shown-error.js";
import { stage } from "../../stream/core/stage.js";
import { isBelow, parentPointer, parsePointer, pointerTo } from "../../tree/pointer.js";

/** The options of `toAssistantTransport()`. */
export interface AssistantTransportOptions extends TextResponseOptions {
  /** The keys that lead to the value in the state of the client. Default: `[]`, the value is the state. */
  readonly path?: readonly string[];
  /**
   * Receives the error that ended the run and may return what the client sees; only the message is sent. Default: `The
   * run failed.`
   */
  readonly onError?: OnRunError;
}

/**
 * Serves patches as the state of an assistant-ui client: the assistant-transport protocol, with `update-state` chunks.
 * The client has the value in `metadata.unstable_state` of the message while it grows.
 *
 * An `append` is sent as `append-text`, so each character of a growing text is sent once. A member or the last element
 * of a list is sent as `set`. The protocol has no other operation: for all else, such as a `remove`, the object or list
 * around the place is set again, once in a patch. The client refuses the key `__proto__`, and `prototype` in
 * `constructor`: they end the stream with an error. So do a patch that does not fit, and more than 2,000 levels.
 *
 * The client resumes by reading the response again from its start: `keepResponse()` keeps it, and `resumeResponse()`
 * serves it.
 *
 * @example
 * ```ts
 * import { from, patchLines, pipe } from "millrace";
 * import { toAssistantTransport } from "millrace/ui";
 *
 * const model = from(['{"op":"add","path":"/title","value":"T', 'ea"}\n{"op":"remove","path":"/title"}']);
 * const response = toAssistantTransport(pipe(model, patchLines({ append: true }).patches));
 * console.log((await response.text()).trim());
 * ```
 *
 * ```text prints
 * :
 *
 * data: {"type":"update-state","path":[],"operations":[{"type":"set","path":[],"value":{}},{"type":"set","path":["title"],"value":"T"}]}
 *
 * data: {"type":"update-state","path":[],"operations":[{"type":"append-text","path":["title"],"value":"ea"},{"type":"set","path":[],"value":{}}]}
 *
 * data: {"type":"message-finish","path":[],"finishReason":"stop","usage":{"inputTokens":0,"outputTokens":0}}
 *
 * data: [DONE]
 * ```
 */
export function toAssistantTransport(
  patches: AsyncIterable<readonly AnyPatchOperation[]>,
  options: AssistantTransportOptions = {},
): Response {
  const { path = [], onError } = options;
  const chunks = stage<readonly AnyPatchOperation[], TransportChunk>((emit) => {
    let value: JsonValue | undefined;
    let own = new WeakSet();
    return {
      next: (patch) => {
        checkPatch(patch);
        const operations: StateOperation[] = [];
        /** By their pointers, the containers that are set again, once, with what they hold after the patch. */
        const again = new Map<string, readonly string[]>();
        for (const operation of patch) {
          const direct = directOf(operation, value);
          value = patched(value, [operation], own);
          if (direct === undefined) {
            for (const keys of placesOf(operation)) again.set(pointerTo(keys), keys);
          } else if (!isIn(pointerTo(direct.path), again)) operations.push(direct);
        }
        for (const [pointer, keys] of again) {
          const it = valueAt(value, keys);
          const isSet = isIn(parentPointer(pointer), again) && pointer !== "";
          if (it !== undefined && !isSet) operations.push({ type: "set", path: keys, value: it });
        }
        // They hold containers of the value, which must not change before they are sent.
        if (again.size > 0) own = new WeakSet();
        if (operations.length === 0) return;
        const placed = operations.map((each) => ({ ...each, path: [...path, ...each.path] }));
        emit({ type: "update-state", path: [], operations: checked(placed) });
      },
      end: () => {
        const usage = { inputTokens: 0, outputTokens: 0 };
        emit({ type: "message-finish", path: [], finishReason: "stop", usage });
      },
    };
  })(patches);
  const failed = (error: unknown): TransportChunk => {
    return { type: "error", path: [], error: toShownError(error, onError).message };
  };
  const texts = eventTexts(errorAsItem(chunks, failed), failed);
  return textResponse({ ...eventFormat, last: "data: [DONE]\n\n" }, options)(texts);
}

/** A change of the state, as assistant-ui applies it. */
type StateOperation =
  | { readonly type: "set"; readonly path: readonly string[]; readonly value: JsonValue }
  | { readonly type: "append-text"; readonly path: readonly string[]; readonly value: string };

type TransportChunk =
  | { readonly type: "update-state"; readonly path: []; readonly operations: readonly StateOperation[] }
  | {
      readonly type: "message-finish";
      readonly path: [];
      readonly finishReason: "stop";
      readonly usage: object;
    }
  | { readonly type: "error"; readonly path: []; readonly error: string };

/** The same change as one operation of assistant-ui; `undefined` if it has none. */
function directOf(operation: AnyPatchOperation, before: JsonValue | undefined): StateOperation | undefined {
  const { op } = operation;
  if (op !== "add" && op !== "replace" && op !== "append") return undefined;
  const path = parsePointer(operation.path);
  if (accepted(path) !== path) return undefined;
  if (op === "append") return { type: "append-text", path, value: operation.value };
  const { value } = operation;
  const parent = valueAt(before, path.slice(0, -1));
  if (op === "replace" || path.length === 0 || !Array.isArray(parent)) return { type: "set", path, value };
  const key = path.at(-1);
  const end = String(parent.length);
  // An index replaces an element there. The length adds one.
  return key === "-" || key === end ? { type: "set", path: [...path.slice(0, -1), end], value } : undefined;
}

/** The containers that an operation changes. */
function placesOf(operation: AnyPatchOperation): readonly (readonly string[])[] {
  if (operation.op === "test") return [];
  const pointers = operation.op === "move" ? [operation.from, operation.path] : [operation.path];
  return pointers.map((pointer) => accepted(parsePointer(pointer).slice(0, -1)));
}

/** Whether a place is one of these, or in one of them. */
function isIn(pointer: string, places: ReadonlyMap<string, unknown>): boolean {
  return places.has(pointer) || isBelow(pointer, places);
}

/** @throws {JsonPatchError} `refused` for keys that the client refuses in a value */
function checked(operations: readonly StateOperation[]): readonly StateOperation[] {
  const open: (JsonValue | undefined)[] = operations.map(({ value }) => value);
  while (open.length > 0) {
    const value = open.pop();
    if (!isContainer(value)) continue;
    if (isObject(value) && isRefused(value)) {
      const keys = '"__proto__", and "prototype" in "constructor"';
      throw new JsonPatchError("refused", `assistant-ui refuses these keys: ${keys}.`, -1);
    }
    for (const member of Object.values(value)) open.push(member);
  }
  return operations;
}

function isRefused(value: JsonObject): boolean {
  if (Object.hasOwn(value, "__proto__")) return true;
  return valueAt(value, ["constructor", "prototype"]) !== undefined;
}

/** The keys that the client refuses in a path. */
const refusedInPaths: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** The place, or the nearest one around it whose path the client accepts. */
function accepted(keys: readonly string[]): readonly string[] {
  const refused = keys.findIndex((key) => refusedInPaths.has(key));
  return refused < 0 ? keys : keys.slice(0, refused);
}
