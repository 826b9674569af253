import type { MessageChunk } from "../../messages/chunk.js";
import type { ToolCallDialect } from "../../messages/tool-call-dialect.js";
import type { CreateTransform } from "../../stream/core/transform.js";
import { randomId } from "../../text/bytes/hex.js";
import type { Chunk } from "../output-parser.js";
import { stoppedEarly } from "../truncation.js";
import { CallFinder } from "./call-finder.js";
import { CallNames, type DescribedTool } from "./call-names.js";
import { CallOutput } from "./call-output.js";
import { rulesOfDialects } from "./dialects.js";

/** The options of `textToolCalls()`. */
export interface TextToolCallsOptions {
  /** How the model writes calls. `"auto"` decides by the first call. Default: `"auto"` */
  readonly dialect?: ToolCallDialect | "auto";
  /**
   * The tools that the model may call. With them, text without a tag is a call only if it names a tool, arguments of
   * Python may have no names, and values in XML have the types of the parameters. Default: not known
   */
  readonly tools?: readonly DescribedTool[];
  /**
   * Whether the prompt has opened a `<think>`, so the text begins in the model's reasoning: calls before `</think>` are
   * text. Not after a block of reasoning. Default: false
   */
  readonly openThinking?: boolean;
  /** Creates the ids of the calls. Default: random */
  readonly createId?: () => string;
}

/** Creates the reader of each stream of `textToolCalls()`. */
export function callsInText(options: TextToolCallsOptions): CreateTransform<Chunk, MessageChunk> {
  const { dialect = "auto", tools, openThinking = false } = options;
  const { createId = () => `call_${randomId()}` } = options;
  const rules = rulesOfDialects[dialect];
  const names = new CallNames(tools);
  return (emit) => {
    const output = new CallOutput(createId);
    const finder = new CallFinder(output, names, rules, openThinking);
    let hasEnded = false;
    const end = (early: boolean): void => {
      if (!hasEnded) finder.end(early);
      hasEnded = true;
    };
    return {
      next: (chunk) => {
        if (typeof chunk === "string") {
          finder.write(chunk);
          emitBlocks();
          return;
        }
        const { content, finishReason, ...fields } = chunk;
        for (const block of content) {
          if (block.type === "reasoning") finder.onReasoning();
          if (block.type !== "text") output.addBlock(block);
          else {
            if (hasEnded) output.addText(block.text);
            else finder.write(block.text);
            // The citations of a text are added to the text that is shown.
            if (block.annotations !== undefined)
              output.addBlock({ ...block, text: "", index: output.callCount });
          }
        }
        if (finishReason === undefined) {
          emitBlocks(fields);
          return;
        }
        end(stoppedEarly(finishReason));
        const isCall = finishReason === "stop" && output.callCount > 0;
        emitBlocks({ ...fields, finishReason: isCall ? "tool_calls" : finishReason });
      },
      end: () => {
        end(false);
        emitBlocks();
      },
    };

    function emitBlocks(fields: Omit<MessageChunk, "content"> = {}): void {
      const content = output.take();
      if (content.length > 0 || Object.keys(fields).length > 0) emit({ content, ...fields });
    }
  };
}
