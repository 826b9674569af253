import { type ChatCompletionRequest, getTextContent } from "@copilotkit/aimock";
import type { StandIn } from "../support/connect.js";

/** Takes each word list of the user for items, asks for their aisles, and writes the list. */
export const standIn: StandIn = (request) => {
  const items = itemsOf(request);
  const last = request.messages.at(-1);
  if (last?.role !== "tool") return call("Let me see where that is.", "aisles", { items });
  const found = JSON.parse(getTextContent(last.content) ?? "{}") as Record<string, number | null>;
  return call("", "ShoppingList", { items: items.map((name) => ({ name, aisle: found[name] ?? null })) });
};

/** All items requested in the conversation: "flour, two eggs and salt". */
function itemsOf({ messages }: ChatCompletionRequest): string[] {
  const texts = messages.filter(({ role }) => role === "user").map(({ content }) => getTextContent(content));
  const items = texts.flatMap((text) => (text ?? "").split(/[,.;]|\band\b/)).map((item) => item.trim());
  return [...new Set(items.filter((item) => item !== ""))];
}

function call(content: string, name: string, args: object): ReturnType<StandIn> {
  return { content, toolCalls: [{ name, arguments: JSON.stringify(args) }] };
}
