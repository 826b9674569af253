import { checkPatch } from "../../json/patch/check-patch.js";
import type { AnyPatchOperation, JsonPatchOperation } from "../../json/patch/patch.js";
import { type ForeignClient, Projection, prototypeKeys } from "../../json/patch/project.js";
import { type JsonValue, valueAt } from "../../json/value.js";
import { eventResponse, type TextResponseOptions } from "../../serve/http/text-response.js";
import { type OnRunError, toShownError } from "../../serve/shown-error.js";
import { stage } from "../../stream/core/stage.js";
import { parsePointer } from "../../tree/pointer.js";

/** The options of `toAssistantTransport()`. */
export interface AssistantTransportOptions extends TextResponseOptions {
  /** The keys that lead to the value in the state of the client. Default: `[]`, the value is the state. */
  readonly path?: readonly string[];
  /**
   * Receives the error that ended the run and may return what the client sees; only the message is sent. Default: words
   * for users by the kind of the error.
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
 * `constructor`, in values too: they end the stream with an error. So do a patch that does not fit, and more than 2,000 levels.
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
    const projection = new Projection(client);
    return {
      next: (patch) => {
        checkPatch(patch);
        const operations = projection.next(patch).map((each) => stateOperation(each, path));
        if (operations.length > 0) emit({ type: "update-state", path: [], operations });
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
  return eventResponse(chunks, { failed, last: () => "data: [DONE]\n\n" }, options);
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

/** The projection has no other operations for this client. */
function stateOperation(operation: AnyPatchOperation, prefix: readonly string[]): StateOperation {
  const { op, path, value } = operation as JsonPatchOperation;
  const keys = [...prefix, ...parsePointer(path)];
  return op === "append" ? { type: "append-text", path: keys, value } : { type: "set", path: keys, value };
}

const client: ForeignClient = {
  name: "assistant-ui",
  can: new Set(["turns", "append"]),
  refusesKey: (key) => prototypeKeys.has(key),
  refusesValue: (object) =>
    Object.hasOwn(object, "__proto__") || valueAt(object, ["constructor", "prototype"]) !== undefined,
};
