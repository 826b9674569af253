import type { AgentEvent } from "../agent/events.js";
import type { JsonPatch, JsonPatchOperation } from "../json/patch/patch.js";
import { isObject } from "../json/value.js";
import { elementsKey } from "../schema/list-of.js";
import type { Operator } from "../stream/operator.js";
import { stage } from "../stream/core/stage.js";

const place = `/${elementsKey}`;

/** Shows the list instead of the object around it that the model writes (`listOf()`). */
export function elementsOnly(): Operator<AgentEvent, AgentEvent> {
  return stage((emit) => ({
    next: (event) => {
      if (event.type === "structured_patch") {
        const patch = patchOfList(event.patch);
        if (patch.length > 0) emit({ ...event, patch });
      } else if (event.type !== "structured_item") emit(event);
      else if (event.pointer.startsWith(`${place}/`))
        emit({ ...event, pointer: event.pointer.slice(place.length) });
    },
  }));
}

function patchOfList(patch: JsonPatch): JsonPatch {
  return patch.flatMap((operation): JsonPatchOperation[] => {
    const { path, value } = operation;
    if (path === "") {
      const list = isObject(value) ? value[elementsKey] : undefined;
      return list === undefined ? [] : [{ op: "replace", path, value: list }];
    }
    if (path === place) return [{ op: "replace", path: "", value }];
    return path.startsWith(`${place}/`) ? [{ ...operation, path: path.slice(place.length) }] : [];
  });
}
