import type { JsonObject, JsonValue } from "../../../json/value.js";
import type { ContentBlock } from "../../../messages/blocks/blocks.js";
import { type Loose, nonEmptyText } from "../../loose.js";
import type { ChunkDraft } from "../../wire/chunk-draft.js";
import { callStatus } from "./call-kinds.js";
import type { OutputItem } from "./output-item.js";

/**
 * Decodes an item that is sent when it is complete: an image, the result of a tool, or an unknown item, which becomes
 * `non_standard`.
 */
export class WholeItem implements OutputItem {
  private readonly lastCall: string | undefined;

  /** @param lastCall the id of the previous call, because the result of a tool search has no id of its call */
  constructor(lastCall: string | undefined) {
    this.lastCall = lastCall;
  }

  read(event: Loose, draft: ChunkDraft): void {
    // A preview of the image, which the complete item does not repeat.
    if (event["type"] === "response.image_generation_call.partial_image") {
      draft.add({ type: "non_standard", value: event as JsonObject });
    }
  }

  end(item: Loose, draft: ChunkDraft): void {
    draft.add(this.mapItem(item));
  }

  private mapItem(item: Loose): ContentBlock {
    switch (item["type"]) {
      case "image_generation_call": {
        const { result, ...metadata } = item as JsonObject;
        if (typeof result !== "string") break;
        const mimeType = `image/${nonEmptyText(metadata["output_format"]) ?? "png"}`;
        return { type: "image", data: result, mimeType, metadata };
      }
      case "shell_call_output":
        return this.mapResult(item, item["output"]);
      case "tool_search_output":
        return this.mapResult(item, item["tools"]);
    }
    return { type: "non_standard", value: item as JsonValue };
  }

  private mapResult(item: Loose, output: unknown): ContentBlock {
    const toolCallId = nonEmptyText(item["call_id"]) ?? this.lastCall ?? "";
    const status = callStatus(item);
    const metadata = item as JsonObject;
    return {
      type: "server_tool_result",
      toolCallId,
      status,
      output: (output ?? null) as JsonValue,
      metadata,
    };
  }
}
