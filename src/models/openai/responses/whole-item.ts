import type { JsonObject } from "../../../json/value.js";
import { type Loose, nonEmptyText } from "../../loose.js";
import type { ChunkDraft } from "../../wire/chunk-draft.js";
import { hasFailed } from "./call-kinds.js";
import type { OutputItem } from "./output-item.js";

/**
 * An item that is sent when it is complete: an image, the result of a tool, or an unknown item, which becomes
 * `non_standard`.
 *
 * @param lastCall the id of the previous call, because the result of a tool search has no id of its call
 */
export function wholeItem(lastCall = "", draft: ChunkDraft): OutputItem {
  const addResult = (item: Loose, output: unknown = null): void => {
    draft.addResult(nonEmptyText(item["call_id"]) ?? lastCall, hasFailed(item), output, item as JsonObject);
  };
  return {
    read(event) {
      // A preview of the image, which the complete item does not repeat.
      if (event["type"] === "response.image_generation_call.partial_image") draft.addOther(event);
    },
    end(item) {
      const { type, result, output_format } = item;
      if (type === "shell_call_output") addResult(item, item["output"]);
      else if (type === "tool_search_output") addResult(item, item["tools"]);
      else if (type === "image_generation_call" && typeof result === "string") {
        const { result: _, ...metadata } = item as JsonObject;
        const mimeType = `image/${nonEmptyText(output_format) ?? "png"}`;
        draft.add({ type: "image", data: result, mimeType, metadata });
      } else draft.addOther(item);
    },
  };
}
