import type { FinishReason } from "../../../messages/finish-reason.js";
import { type Loose, asRecord, nonEmptyText } from "../../loose.js";

/**
 * Why the response is over. OpenAI's own word is the reason why it is incomplete, or else its status.
 *
 * @param calls whether it called a tool of ours
 */
export function mapEnding(response: Loose, calls: boolean): Ending {
  const reason = nonEmptyText(asRecord(response["incomplete_details"])["reason"]);
  const word = reason ?? nonEmptyText(response["status"]) ?? "completed";
  return {
    finishReason: word === "completed" && calls ? "tool_calls" : (words.get(word) ?? "other"),
    providerFinishReason: word,
  };
}

interface Ending {
  readonly finishReason: FinishReason;
  readonly providerFinishReason: string;
}

const words: ReadonlyMap<string, FinishReason> = new Map([
  ["completed", "stop"],
  ["max_output_tokens", "length"],
  ["content_filter", "content_filter"],
]);
