import type { FinishReason } from "../messages/finish-reason.js";
import { textOf } from "../messages/blocks/read.js";
import type { Chunk } from "./output-parser.js";

/** The chunks of one stream: what text each adds, and why the model stopped, once one says so. */
export class ChunkReader {
  finishReason: FinishReason | undefined;

  read(chunk: Chunk): string {
    if (typeof chunk === "string") return chunk;
    this.finishReason = chunk.finishReason ?? this.finishReason;
    return textOf(chunk);
  }
}
