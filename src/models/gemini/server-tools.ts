import type { JsonObject, JsonValue } from "../../json/value.js";
import type { ServerToolCallBlock, ServerToolResultBlock } from "../../messages/blocks/blocks.js";
import type { Metadata } from "../../messages/blocks/metadata.js";
import { isRecord, type Loose, requestFields, nonEmptyText } from "../loose.js";

/**
 * Converts tools that Gemini runs: `executableCode` and `codeExecutionResult`, `toolCall` and `toolResponse`. The
 * metadata keeps the name of the part (`part`) for sending it back.
 */
export class ServerTools {
  private readonly nextBlock: () => number;
  private lastCall = "";

  /** @param nextBlock returns the index of a new block, for calls without an id */
  constructor(nextBlock: () => number) {
    this.nextBlock = nextBlock;
  }

  read(part: Loose): ServerToolCallBlock | ServerToolResultBlock | undefined {
    for (const [name, { isResult }] of Object.entries(kinds)) {
      const { [name]: value, ...others } = part;
      if (!isRecord(value)) continue;
      const id = nonEmptyText(value["id"]);
      const metadata = { ...others, part: name, ...(id === undefined ? undefined : { id }) } as Metadata;
      return isResult ? this.result(value, id, metadata) : this.call(value, id, metadata);
    }
    return undefined;
  }

  private call(value: Loose, id: string | undefined, metadata: Metadata): ServerToolCallBlock {
    const { args, toolType, language, code } = value;
    const callId = id ?? `server_call_${this.nextBlock()}`;
    this.lastCall = callId;
    return {
      type: "server_tool_call",
      id: callId,
      name: nonEmptyText(toolType) ?? "code_execution",
      args:
        metadata["part"] === "toolCall"
          ? ((args ?? {}) as JsonObject)
          : requestFields({ language: language as JsonValue, code: code as JsonValue }),
      metadata,
    };
  }

  private result(value: Loose, id: string | undefined, metadata: Metadata): ServerToolResultBlock {
    const { outcome } = value;
    const failed = typeof outcome === "string" && outcome !== "OUTCOME_OK";
    return {
      type: "server_tool_result",
      toolCallId: id ?? this.lastCall,
      status: failed ? "error" : "success",
      output: value as JsonObject,
      metadata,
    };
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

const kinds = {
  executableCode: { isResult: false },
  codeExecutionResult: { isResult: true },
  toolCall: { isResult: false },
  toolResponse: { isResult: true },
} as const;
