import { checkPatch } from "../../json/patch/check-patch.js";
import type { AnyPatchOperation } from "../../json/patch/patch.js";
import { isObject, type JsonObject } from "../../json/value.js";
import { stage } from "../../stream/core/stage.js";
import type { Operator } from "../../stream/operator.js";
import { AgUiValue } from "./ag-ui-value.js";
import type { AgUiActivityEvent } from "./events.js";

/** A message of AG-UI's role `activity`, which shows a growing value beside the texts. */
export interface AgUiActivityPlace {
  /** The id of the message. It must be unique among all messages of the conversation. */
  readonly messageId: string;
  /** Names the renderer of the client, such as `recipe`. */
  readonly activityType: string;
  /** The member of the message's content that holds the value. Default: the value is the content. */
  readonly contentKey?: string | undefined;
}

/**
 * Writes patches as events of AG-UI for one activity message: `ACTIVITY_SNAPSHOT` where the value begins, then
 * `ACTIVITY_DELTA` with operations of RFC 6902. Send the events between `RUN_STARTED` and `RUN_FINISHED`.
 * `toAgUi()` does this with the option `activity`, for the structured response of an agent.
 *
 * The content of an activity is an object. Any other value becomes its member `value`. An `append` is sent as a
 * `replace` by the whole string, so put `throttle(50, { merge: joinPatches })` before it for long texts.
 *
 * @example
 * ```ts
 * import { from, patchLines, pipe } from "millrace";
 * import { toAgUiActivity } from "millrace/serve";
 *
 * const model = from(['{"op":"add","path":"/title","value":"T', 'ea"}']);
 * const place = { messageId: "1", activityType: "recipe" };
 * for await (const event of pipe(model, patchLines().patches, toAgUiActivity(place))) console.log(JSON.stringify(event));
 * ```
 *
 * ```text prints
 * {"type":"ACTIVITY_SNAPSHOT","messageId":"1","activityType":"recipe","content":{"title":"T"}}
 * {"type":"ACTIVITY_DELTA","messageId":"1","activityType":"recipe","patch":[{"op":"replace","path":"/title","value":"Tea"}]}
 * ```
 */
export function toAgUiActivity(
  place: AgUiActivityPlace,
): Operator<readonly AnyPatchOperation[], AgUiActivityEvent> {
  return stage((emit) => {
    const activity = agUiActivity(place);
    return {
      next: (patch) => {
        checkPatch(patch);
        if (patch.length > 0) emit(activity.change(patch));
      },
    };
  });
}

/** The content of one activity message. */
export function agUiActivity(place: AgUiActivityPlace): AgUiValue<AgUiActivityEvent> {
  const { messageId, activityType, contentKey } = place;
  return new AgUiValue<AgUiActivityEvent>({
    before: {},
    keyOf: (value) => contentKey ?? (isObject(value) ? undefined : "value"),
    snapshot: (content) => ({
      type: "ACTIVITY_SNAPSHOT",
      messageId,
      activityType,
      content: content as JsonObject,
    }),
    delta: (patch) => ({ type: "ACTIVITY_DELTA", messageId, activityType, patch }),
  });
}
