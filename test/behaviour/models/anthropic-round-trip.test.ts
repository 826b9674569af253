import Anthropic from "@anthropic-ai/sdk";
import { expect, test } from "vitest";
import { type AssistantMessage, user } from "millrace";
import {
  block,
  delta,
  end,
  finish,
  messageOf,
  start,
  stop,
  turns,
  wireOf,
} from "../../models/anthropic/support.js";

const caller = { type: "code_execution_20260120", tool_id: "s1" };
const citation = {
  type: "page_location",
  cited_text: "Grey.",
  document_index: 1,
  document_title: null,
  start_page_number: 1,
  end_page_number: 2,
  file_id: "file_1",
};

/** One block of every kind that the recordings do not contain. */
const events = [
  start(),
  block({ type: "thinking", thinking: "", signature: "" }),
  delta({ type: "signature_delta", signature: "b21pdHRlZA" }),
  stop(),
  block({ type: "redacted_thinking", data: "ZGF0YQ" }, 1),
  stop(1),
  block(
    { type: "server_tool_use", id: "s1", name: "code_execution", input: {}, caller: { type: "direct" } },
    2,
  ),
  delta({ type: "input_json_delta", partial_json: '{"code":"1"}' }, 2),
  stop(2),
  block({ type: "tool_use", id: "t1", name: "f", input: {}, caller, toolset_name: "tools", mood: "calm" }, 3),
  delta({ type: "input_json_delta", partial_json: '{"a":[1]}' }, 3),
  stop(3),
  block(
    { type: "code_execution_tool_result", tool_use_id: "s1", content: { type: "code_execution_result" } },
    4,
  ),
  stop(4),
  block({ type: "mcp_tool_use", id: "m1", name: "ask", server_name: "sea", input: { q: 1 } }, 5),
  stop(5),
  block(
    { type: "mcp_tool_result", tool_use_id: "m1", is_error: true, content: [{ type: "text", text: "no" }] },
    6,
  ),
  stop(6),
  block({ type: "text", text: "", citations: [] }, 7),
  delta({ type: "citations_delta", citation }, 7),
  delta({ type: "text_delta", text: "Grey." }, 7),
  stop(7),
  block({ type: "text", text: "", citations: [] }, 8),
  delta({ type: "text_delta", text: "Uncited." }, 8),
  stop(8),
  block({ type: "container_upload", file_id: "file_2" }, 9),
  stop(9),
  block({ type: "compaction", content: null }, 10),
  delta({ type: "compaction_delta", content: "All so far.", encrypted_content: "eA" }, 10),
  stop(10),
  block({ type: "dream", of: { electric: "sheep" } }, 11),
  stop(11),
  finish("pause_turn"),
  end,
];

test("a message with blocks of every kind is sent back like by the official SDK", async () => {
  const fetch = async (): Promise<Response> =>
    new Response(wireOf(events), { headers: { "content-type": "text/event-stream" } });
  const sdk = new Anthropic({ apiKey: "key", fetch, maxRetries: 0 });
  const request = {
    model: "claude-test",
    max_tokens: 1,
    messages: [{ role: "user" as const, content: "Hi" }],
  };
  const final = await sdk.beta.messages.stream(request).finalMessage();
  expect(final.content).toHaveLength(12);

  const copy = JSON.parse(JSON.stringify(await messageOf(...events))) as AssistantMessage;
  const [, answer] = (await turns([user("Hi"), copy])) as { content: unknown }[];
  expect(answer?.content).toEqual(final.content);
});
