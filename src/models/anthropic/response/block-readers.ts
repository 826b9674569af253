import type { JsonObject } from "../../../json/value.js";
import type { ContentBlock, ServerToolResultBlock } from "../../../messages/blocks/blocks.js";
import type { CallChunkBlock } from "../../../messages/merge/delta.js";
import { mergeMetadata, type Metadata } from "../../../messages/blocks/metadata.js";
import { isRecord, type Loose, nonEmptyText } from "../../loose.js";
import { toAnnotation } from "../citations.js";
import { joined, OwnFields } from "../own-fields.js";

/** A block of a message while it is streamed. Each step gives what it adds, if anything. */
export interface BlockReader {
  begin(): ContentBlock | undefined;
  read(delta: Loose): ContentBlock | undefined;
  end(): ContentBlock | undefined;
  /** The stream broke off: what only the end would have shown. */
  cut(): ContentBlock | undefined;
}

/** @param index of the block among all of the stream */
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
      return new CallReader("tool_call_chunk", start, index);
    case "server_tool_use":
    case "mcp_tool_use":
      return new CallReader("server_tool_call_chunk", start, index);
    default: {
      const result = toResult(start);
      return result === undefined ? new RawReader(start) : new WholeReader(result);
    }
  }
}

/**
 * A text, or a thought. Begins with an empty one, which is not worth a chunk: a request that fails before its first text is
 * made again.
 */
class WrittenReader implements BlockReader {
  private readonly kind: "text" | "thinking";
  private readonly index: number;
  private readonly start: Loose;
  private readonly own: OwnFields;
  private said = false;

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
    if (signature !== undefined) return this.say(written, { metadata: { signature } });
    return written === "" ? undefined : this.say(written);
  }

  read(delta: Loose): ContentBlock | undefined {
    switch (delta["type"]) {
      case `${this.kind}_delta`: {
        const written = nonEmptyText(delta[this.kind]);
        return written === undefined ? undefined : this.say(written);
      }
      case "citations_delta":
        return this.say("", { citations: [delta["citation"]] });
      case "signature_delta": {
        const signature = nonEmptyText(delta["signature"]);
        return signature === undefined ? undefined : this.say("", { metadata: { signature } });
      }
      default:
        this.own.add(delta);
        return this.say("", this.own.metadata);
    }
  }

  end(): ContentBlock | undefined {
    return this.said ? undefined : this.say("");
  }

  cut(): undefined {}

  private say(written: string, more: More = {}): ContentBlock {
    const { index, said } = this;
    this.said = true;
    const metadata = said ? more.metadata : mergeMetadata(this.own.metadata.metadata, more.metadata);
    const about = metadata === undefined ? undefined : { metadata };
    if (this.kind === "thinking") return { type: "reasoning", index, reasoning: written, ...about };
    const citations = said ? more.citations : this.withFirst(more.citations);
    const from = citations === undefined ? undefined : { annotations: citations.map(toAnnotation) };
    return { type: "text", index, text: written, ...from, ...about };
  }

  /** An empty list says that the text could have been cited. */
  private withFirst(citations: readonly unknown[] | undefined): readonly unknown[] | undefined {
    const { citations: first } = this.start;
    return Array.isArray(first) ? [...(first as readonly unknown[]), ...(citations ?? [])] : citations;
  }
}

/** What is said besides the text. */
interface More {
  readonly citations?: readonly unknown[];
  readonly metadata?: Metadata;
}

/**
 * A call, of a tool of ours or of the provider's. Its input is `{}` at the start and comes in pieces of JSON; some
 * servers give it whole at the start instead.
 */
class CallReader implements BlockReader {
  private readonly base: Pick<CallChunkBlock, "type" | "index">;
  private readonly start: Loose;
  private readonly own: OwnFields;
  private hasArgs = false;

  constructor(type: CallChunkBlock["type"], start: Loose, index: number) {
    this.base = { type, index };
    this.start = start;
    const { type: own, id: _id, name: _name, input: _input, ...others } = start;
    this.own = new OwnFields(others, type === "server_tool_call_chunk" ? String(own) : undefined);
  }

  begin(): ContentBlock {
    const id = nonEmptyText(this.start["id"]);
    const name = nonEmptyText(this.start["name"]);
    return {
      ...this.base,
      ...(id === undefined ? undefined : { id }),
      ...(name === undefined ? undefined : { name }),
      ...this.own.metadata,
    };
  }

  read(delta: Loose): ContentBlock | undefined {
    if (delta["type"] !== "input_json_delta") {
      this.own.add(delta);
      return { ...this.base, ...this.own.metadata };
    }
    const args = nonEmptyText(delta["partial_json"]);
    return args === undefined ? undefined : this.write(args);
  }

  /** No arguments are an empty object, and said so now: the tool may start while the model goes on. */
  end(): ContentBlock | undefined {
    if (this.hasArgs) return undefined;
    return this.write(JSON.stringify(this.start["input"] ?? {}));
  }

  cut(): undefined {}

  private write(args: string): ContentBlock {
    this.hasArgs = true;
    return { ...this.base, args };
  }
}

/** A block that is there at its start. */
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

  cut(): undefined {}
}

/** A block that has none of ours, such as `container_upload` and `compaction`: as it is in the end. */
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

/** What a tool of the provider gave: `web_search_tool_result`, `mcp_tool_result` and their like. */
function toResult(start: Loose): ServerToolResultBlock | undefined {
  const { type, tool_use_id, content, ...others } = start;
  if (typeof type !== "string" || !type.endsWith("_tool_result") || typeof tool_use_id !== "string") {
    return undefined;
  }
  const failed =
    others["is_error"] === true || (isRecord(content) && String(content["type"]).endsWith("_error"));
  return {
    type: "server_tool_result",
    toolCallId: tool_use_id,
    status: failed ? "error" : "success",
    ...(content === undefined ? undefined : { output: content as JsonObject }),
    ...new OwnFields(others, type).metadata,
  };
}
