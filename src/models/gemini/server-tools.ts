import { type JsonObject, withoutUndefined } from "../../json/value.js";
import type { ServerToolCallBlock, ServerToolResultBlock } from "../../messages/blocks/blocks.js";
import type { Metadata } from "../../messages/blocks/metadata.js";
import { isRecord, type Loose, requestFields, nonEmptyText } from "../loose.js";
import type { ChunkDraft } from "../wire/chunk-draft.js";

/** Reads tools that Gemini runs. The metadata keeps the name of the part, to send it back. Whether it was one. */
export function serverToolReader(draft: ChunkDraft): (part: Loose) => boolean {
  let lastCall = "";
  return (part) => {
    const kind = Object.keys(kinds).find((name) => isRecord(part[name]));
    if (kind === undefined) return false;
    const { [kind]: value, ...others } = part;
    const { id: given, args, toolType, language, code, outcome } = value as Loose;
    const id = nonEmptyText(given);
    const metadata = { ...others, part: kind, ...(id === undefined ? undefined : { id }) } as Metadata;
    if (kinds[kind] === true) {
      const failed = typeof outcome === "string" && outcome !== "OUTCOME_OK";
      draft.addResult(id ?? lastCall, failed, value, metadata);
      return true;
    }
    lastCall = id ?? `server_call_${draft.nextBlock()}`;
    const input = kind === "toolCall" ? (args ?? {}) : withoutUndefined({ language, code });
    const name = nonEmptyText(toolType) ?? "code_execution";
    draft.add({ type: "server_tool_call", id: lastCall, name, args: input as JsonObject, metadata });
    return true;
  };
}

/** Converts a block back to its part. Returns `undefined` for blocks of other providers. */
export function toServerToolPart(block: ServerToolCallBlock | ServerToolResultBlock): JsonObject | undefined {
  const part = nonEmptyText(block.metadata?.["part"]);
  if (part === undefined || !Object.hasOwn(kinds, part)) return undefined;
  if (block.type === "server_tool_result") return { [part]: block.output ?? {} };
  const id = block.metadata?.["id"];
  return part === "toolCall"
    ? { [part]: requestFields({ id, toolType: block.name, args: block.args }) }
    : { [part]: requestFields({ id, ...block.args }) };
}

/** The parts of these tools, and whether each is a result. */
const kinds: Readonly<Record<string, boolean>> = {
  executableCode: false,
  codeExecutionResult: true,
  toolCall: false,
  toolResponse: true,
};
