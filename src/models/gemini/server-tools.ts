import type { JsonObject, JsonValue } from "../../json/value.js";
import type { ServerToolCallBlock, ServerToolResultBlock } from "../../messages/blocks/blocks.js";
import type { Metadata } from "../../messages/blocks/metadata.js";
import { isRecord, type Loose, requestFields, nonEmptyText } from "../loose.js";
import type { ChunkDraft } from "../wire/chunk-draft.js";

/**
 * Converts tools that Gemini runs: `executableCode` and `codeExecutionResult`, `toolCall` and `toolResponse`. The
 * metadata keeps the name of the part (`part`) for sending it back.
 */
export class ServerTools {
  private readonly draft: ChunkDraft;
  private lastCall = "";

  constructor(draft: ChunkDraft) {
    this.draft = draft;
  }

  /** Adds the block of a part, if it is one of these. */
  read(part: Loose): boolean {
    for (const [name, isResult] of Object.entries(kinds)) {
      const { [name]: value, ...others } = part;
      if (!isRecord(value)) continue;
      const id = nonEmptyText(value["id"]);
      const metadata = { ...others, part: name, ...(id === undefined ? undefined : { id }) } as Metadata;
      if (isResult) this.addResult(value, id, metadata);
      else this.addCall(value, id, metadata);
      return true;
    }
    return false;
  }

  private addCall(value: Loose, id: string | undefined, metadata: Metadata): void {
    const { args, toolType, language, code } = value;
    this.lastCall = id ?? `server_call_${this.draft.nextBlock()}`;
    this.draft.add({
      type: "server_tool_call",
      id: this.lastCall,
      name: nonEmptyText(toolType) ?? "code_execution",
      args:
        metadata["part"] === "toolCall"
          ? ((args ?? {}) as JsonObject)
          : requestFields({ language: language as JsonValue, code: code as JsonValue }),
      metadata,
    });
  }

  private addResult(value: Loose, id: string | undefined, metadata: Metadata): void {
    const { outcome } = value;
    const failed = typeof outcome === "string" && outcome !== "OUTCOME_OK";
    this.draft.addResult(id ?? this.lastCall, failed, value, metadata);
  }
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
