import type { AnyPatchOperation } from "../../json/patch/patch.js";
import { type ForeignClient, prototypeKeys } from "../../json/patch/project.js";
import { pointerTo } from "../../tree/pointer.js";
import type { A2uiMessage } from "./a2ui-message.js";

/**
 * The data model of a renderer. It sets and removes a member, and sets the next element of a list. In v1.0, `null`
 * removes.
 */
export function dataModelOf(version: A2uiMessage["version"]): ForeignClient {
  return {
    name: "A2UI",
    can: new Set(["remove"]),
    refusesKey: (key) => key === "" || prototypeKeys.has(key),
    nullRemoves: version === "v1.0",
  };
}

/**
 * The message for an operation that is projected to the data model.
 *
 * @param prefix the keys before those of the value
 */
export function dataUpdate(
  version: A2uiMessage["version"],
  surfaceId: string,
  operation: AnyPatchOperation,
  prefix: readonly string[] = [],
): A2uiMessage {
  const path = pointerTo(prefix) + operation.path || "/";
  // The renderer may change what it gets.
  const value = "value" in operation && { value: structuredClone(operation.value) };
  return { version, updateDataModel: { surfaceId, path, ...value } };
}
