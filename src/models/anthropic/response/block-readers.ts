import type { JsonObject } from "../../../json/value.js";
import type { ContentBlock, ServerToolResultBlock } from "../../../messages/blocks/blocks.js";
import type { CallChunkBlock } from "../../../messages/merge/delta.js";
import { mergeMetadata, type Metadata } from "../../../messages/blocks/metadata.js";
import { isRecord, type Loose, nonEmptyText, scalarText } from "../../loose.js";
import { argumentText } from "../../wire/plain-json.js";
import { toAnnotation } from "../citations.js";
import { joined, OwnFields } from "../own-fields.js";

/** Reads a streaming block of a message. Each method returns the delta, if any. */
export interface BlockReader {
  begin(): ContentBlock | undefined;
  read(delta: Loose): ContentBlock | undefined;
  end(): ContentBlock | undefined;
  /** Called when the stream was cut. Returns content that only the end would have added. */
  cut?(): ContentBlock | undefined;
}

/** @param index the index of the block in the whole stream */
export function blockReader(start: Loose, index: number): BlockReader {
  const { type } = start;
  switch (type) {
    case "text":
      return new WrittenReader("text", start, index);
    case "thinking":
      return new WrittenReader("thinking", start, index);
    case "redacted_thinking":
      return new WholeReader(redacted(start, index));
    case "tool_use":
      return new ToolUseReader("tool_call_chunk", start, index);
    case "server_tool_use":
    case "mcp_tool_use":
      return new ToolUseReader("server_tool_call_chunk", start, index);
    default: {
      const result = toResult(start);
      return result === undefined ? new RawReader(start) : new WholeReader(result);
    }
  }
}

/**
 * Reads a text or a thought. The empty start gives no chunk, because a request that fails before its first text is
 * retried.
 */
class WrittenReader implements BlockReader {
  private readonly kind: "text" | "thinking";
  private readonly index: number;
  private readonly start: Loose;
  private readonly own: OwnFields;
  private began = false;

  constructor(kind: "text" | "thinking", start: Loose, index: number) {
    this.kind = kind;
    this.index = index;
    this.start = start;
    const { type: _type, [kind]: _written, citations: _citations, signature: _signature, ...others } = start;
    this.own = new OwnFields(others);
  }

  begin(): ContentBlock | undefined {
    const written = nonEmptyText(this.start[this.kind]) ?? "";
    const signature = nonEmptyText(this.start["signature"]);
    if (signature !== undefined) return this.blockOf(written, { metadata: { signature } });
    return written === "" ? undefined : this.blockOf(written);
  }

  read(delta: Loose): ContentBlock | undefined {
    switch (delta["type"]) {
      case `${this.kind}_delta`: {
        const written = nonEmptyText(delta[this.kind]);
        return written === undefined ? undefined : this.blockOf(written);
      }
      case "citations_delta":
        return this.blockOf("", { citations: [delta["citation"]] });
      case "signature_delta": {
        const signature = nonEmptyText(delta["signature"]);
        return signature === undefined ? undefined : this.blockOf("", { metadata: { signature } });
      }
      default:
        this.own.add(delta);
        return this.blockOf("", this.own.metadata);
    }
  }

  end(): ContentBlock | undefined {
    return this.began ? undefined : this.blockOf("");
  }

  private blockOf(written: string, more: More = {}): ContentBlock {
    const { index, began } = this;
    this.began = true;
    const metadata = began ? more.metadata : mergeMetadata(this.own.metadata.metadata, more.metadata);
    const about = metadata === undefined ? undefined : { metadata };
    if (this.kind === "thinking") return { type: "reasoning", index, reasoning: written, ...about };
    const citations = began ? more.citations : this.withFirst(more.citations);
    const from = citations === undefined ? undefined : { annotations: citations.map(toAnnotation) };
    return { type: "text", index, text: written, ...from, ...about };
  }

  /** An empty list means that the text supports citations. */
  private withFirst(citations: readonly unknown[] | undefined): readonly unknown[] | undefined {
    const { citations: first } = this.start;
    return Array.isArray(first) ? [...(first as readonly unknown[]), ...(citations ?? [])] : citations;
  }
}

/** Fields besides the text. */
interface More {
  readonly citations?: readonly unknown[];
  readonly metadata?: Metadata;
}

/**
 * Reads a call of our tools or of the provider's. Its input starts as `{}` and arrives as pieces of JSON. Some servers
 * send it whole at the start.
 */
class ToolUseReader implements BlockReader {
  private readonly type: CallChunkBlock["type"];
  private readonly index: number;
  private readonly start: Loose;
  private readonly own: OwnFields;
  private hasArgs = false;

  constructor(type: CallChunkBlock["type"], start: Loose, index: number) {
    this.type = type;
    this.index = index;
    this.start = start;
    const { type: own, id: _id, name: _name, input: _input, ...others } = start;
    this.own = new OwnFields(others, type === "server_tool_call_chunk" ? String(own) : undefined);
  }

  begin(): ContentBlock {
    const id = nonEmptyText(this.start["id"]);
    const name = nonEmptyText(this.start["name"]);
    return {
      type: this.type,
      index: this.index,
      ...(id === undefined ? undefined : { id }),
      ...(name === undefined ? undefined : { name }),
      ...this.own.metadata,
    };
  }

  read(delta: Loose): ContentBlock | undefined {
    if (delta["type"] !== "input_json_delta") {
      this.own.add(delta);
      return { type: this.type, index: this.index, ...this.own.metadata };
    }
    const args = nonEmptyText(delta["partial_json"]);
    return args === undefined ? undefined : this.write(args);
  }

  /** A call without arguments gets an empty object now, so the tool can start while the model continues. */
  end(): ContentBlock | undefined {
    if (this.hasArgs) return undefined;
    return this.write(argumentText(this.start["input"] ?? {}));
  }

  /** Field by field: on Node 20, `{ ...base, args }` gives each object a hidden class of its own, which costs 1 µs. */
  private write(args: string): ContentBlock {
    this.hasArgs = true;
    return { type: this.type, index: this.index, args };
  }
}

/** Reads a block that is complete at its start. */
class WholeReader implements BlockReader {
  private readonly block: ContentBlock;

  constructor(block: ContentBlock) {
    this.block = block;
  }

  begin(): ContentBlock {
    return this.block;
  }

  read(delta: Loose): ContentBlock {
    return { type: "non_standard", value: { type: "content_block_delta", delta: delta as JsonObject } };
  }

  end(): undefined {}
}

/** Reads a block without a counterpart, such as `container_upload` or `compaction`, and returns it at its end. */
class RawReader implements BlockReader {
  private value: JsonObject;

  constructor(start: Loose) {
    this.value = start as JsonObject;
  }

  begin(): undefined {}

  read({ type: _, ...fields }: Loose): undefined {
    this.value = joined(this.value, fields);
  }

  end(): ContentBlock {
    return { type: "non_standard", value: this.value };
  }

  cut(): ContentBlock {
    return this.end();
  }
}

function redacted({ data }: Loose, index: number): ContentBlock {
  const metadata = { type: "redacted_thinking", data: nonEmptyText(data) ?? "" };
  return { type: "reasoning", index, reasoning: "", metadata };
}

/** Converts the result of a provider tool: `web_search_tool_result`, `mcp_tool_result` and similar blocks. */
function toResult(start: Loose): ServerToolResultBlock | undefined {
  const { type, tool_use_id, content, ...others } = start;
  if (typeof type !== "string" || !type.endsWith("_tool_result") || typeof tool_use_id !== "string") {
    return undefined;
  }
  const failed =
    others["is_error"] === true || (isRecord(content) && scalarText(content["type"]).endsWith("_error"));
  return {
    type: "server_tool_result",
    toolCallId: tool_use_id,
    status: failed ? "error" : "success",
    ...(content === undefined ? undefined : { output: content as JsonObject }),
    ...new OwnFields(others, type).metadata,
  };
}
