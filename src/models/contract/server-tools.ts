import type { CallOptions, ChatModel } from "./chat-model.js";
import { invalidRequest } from "./errors.js";

/**
 * Checks that the provider knows all tools that it would have to run.
 *
 * @param toolForm the name of its form in the `forms` of a tool; absent if it runs none
 * @throws {ModelError} `invalid_request`
 */
export function checkServerTools(
  { tools = [], extra }: Pick<CallOptions, "tools" | "extra">,
  { provider, model }: Pick<ChatModel, "provider" | "model">,
  toolForm?: string,
): void {
  for (const { name, forms } of tools) {
    if (forms === undefined || (toolForm !== undefined && Object.hasOwn(forms, toolForm))) continue;
    const known = Object.keys(forms).join(", ");
    throw invalidRequest(
      `${model} (${provider}) does not support the server tool "${name}", which has a form for ${known}.`,
    );
  }
  if (Array.isArray(extra?.["tools"]))
    throw invalidRequest("Pass tools that the provider runs as tools: [serverTool({ … })], not in extra.");
}
