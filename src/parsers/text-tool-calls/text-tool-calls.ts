import type { MessageChunk } from "../../messages/chunk.js";
import { checkDialect } from "../../messages/tool-call-dialect.js";
import type { Operator } from "../../stream/operator.js";
import { stage } from "../../stream/core/stage.js";
import type { Transform } from "../../stream/core/transform.js";
import { checkOptions, type OptionNames } from "../../text/check-options.js";
import type { Chunk } from "../output-parser.js";
import type { TextToolCallsOptions } from "./calls-in-text.js";

/**
 * Reads tool calls that a model writes as text, for models without native calls. Yields message chunks: text as it is,
 * and `tool_call_chunk` blocks whose arguments grow as those of native calls do. `mergeChunks()`, `toolCallsParser()`
 * and agents read both alike.
 *
 * Text that only looks like a call stays text, and so does a call that is only quoted, in an example or in the model's
 * thinking. Calls with invalid or incomplete arguments become `invalid_tool_call` blocks. White space around a call is
 * dropped. A finish reason `stop` after a call becomes `tool_calls`.
 *
 * @throws {TypeError} if there is no such dialect or option
 *
 * @example
 * ```ts
 * import { from, last, mergeChunks, pipe, textToolCalls, toolCallsOf } from "millrace";
 *
 * const text = ['Let me look.\n<tool_call>\n{"name": "weather", "argu', 'ments": {"city": "Oslo"}}\n</tool_call>'];
 * const message = await last(pipe(from(text), textToolCalls({ createId: () => "1" }), mergeChunks()));
 * console.log(message && toolCallsOf(message));
 * ```
 *
 * ```text prints
 * [ { id: '1', name: 'weather', args: { city: 'Oslo' } } ]
 * ```
 */
export function textToolCalls(options: TextToolCallsOptions = {}): Operator<Chunk, MessageChunk> {
  checkOptions("textToolCalls()", options, optionNames);
  checkDialect(options.dialect ?? "auto");
  return stage((emit, stop, wait) => {
    let reader: Transform<Chunk> | undefined;
    // The forms of all models are much code, so it is loaded with the first stream.
    const load = async (): Promise<void> => {
      const { callsInText } = await import("./calls-in-text.js");
      reader = callsInText(options)(emit, stop, wait);
    };
    wait(load());
    return { next: (chunk) => reader?.next(chunk), end: () => reader?.end?.() };
  });
}

const optionNames = {
  dialect: true,
  tools: true,
  openThinking: true,
  createId: true,
} satisfies OptionNames<TextToolCallsOptions>;
