import type { MessageChunk } from "millrace";
import { drain } from "../sink.js";
import { loadLangChainMessages, loadLangChainTools } from "../untyped-peers.js";

/** Reads all chunks of a call. */
export type ReadCalls = () => Promise<void>;

/** Each creates the chunks of its library before the measurement, and is loaded only in the process that measures it. */
export const toolCallSubjects = {
  "toolCallsParser().stream": async (pieces) => {
    const { from, toolCallsParser } = await import("millrace");
    const chunks = pieces.map((args, i): MessageChunk => ({
      content: [{ type: "tool_call_chunk", index: 0, args, ...beginning(i) }],
    }));
    return () => drain(toolCallsParser().stream(from(chunks)));
  },

  /** It merges the chunks and parses all arguments again after each. */
  JsonOutputToolsParser: async (pieces) => {
    const { AIMessageChunk } = await loadLangChainMessages();
    const { JsonOutputToolsParser } = await loadLangChainTools();
    const chunks = pieces.map((args, i) => {
      const chunk = { type: "tool_call_chunk", index: 0, args, ...beginning(i) };
      return new AIMessageChunk({ content: "", tool_call_chunks: [chunk] });
    });
    async function* source(): AsyncGenerator<object> {
      yield* chunks;
    }
    return () => drain(new JsonOutputToolsParser().transform(source(), {}));
  },
} satisfies Readonly<Record<string, (pieces: readonly string[]) => Promise<ReadCalls>>>;

export type ToolCallSubjectName = keyof typeof toolCallSubjects;

/** The first chunk of a call has its id and name. */
function beginning(i: number): { id?: string; name?: string } {
  return i === 0 ? { id: "call_1", name: "save" } : {};
}
