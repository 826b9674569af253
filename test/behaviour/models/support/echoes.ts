/** Payloads of a message that repeats a text as reasoning, as text, as arguments and in unknown fields. */

type Payloads = (echo: string) => readonly string[];

const chat: Payloads = (echo) => [
  `{"id":"1","x":"${echo}","choices":[{"delta":{"reasoning":"${echo}"}}]}`,
  `{"choices":[{"delta":{"content":"${echo}"}}]}`,
  `{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"tool","arguments":{"a":{"${echo}":["${echo}"]}}}}]}}]}`,
];

const responses: Payloads = (echo) => [
  `{"type":"response.created","response":{"id":"${echo}","service_tier":"${echo}"}}`,
  `{"type":"response.output_text.delta","output_index":0,"delta":"${echo}"}`,
  `{"type":"response.output_item.done","output_index":1,"item":{"type":"function_call","call_id":"${echo}","name":"tool","arguments":"${echo}"}}`,
  `{"type":"response.output_item.done","output_index":2,"item":{"type":"other","deep":[[["${echo}"]]]}}`,
];

const anthropic: Payloads = (echo) => [
  `{"type":"message_start","message":{"id":"1","content":[],"x":"${echo}"}}`,
  `{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"${echo}"}}`,
  `{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"${echo}"}}`,
  `{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"2","name":"tool","input":{"a":"${echo}"}}}`,
  `{"type":"content_block_stop","index":2}`,
  `{"type":"content_block_start","index":3,"content_block":{"type":"other","y":"${echo}"}}`,
];

const gemini: Payloads = (echo) => [
  `{"candidates":[{"content":{"parts":[{"text":"${echo}","thought":true,"thoughtSignature":"${echo}"}]}}]}`,
  `{"candidates":[{"content":{"parts":[{"text":"${echo}"},{"z":"${echo}"}]}}]}`,
  `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"tool","args":{"a":["${echo}"]}}}]}}]}`,
];

const byProvider: Readonly<Record<string, Payloads>> = {
  "Chat Completions": chat,
  Responses: responses,
  Anthropic: anthropic,
  Gemini: gemini,
};

export function events(provider: string, echo: string): readonly string[] {
  return (byProvider[provider] as Payloads)(echo);
}

/** The lines of Ollama. */
export const lines: Payloads = (echo) => [
  `{"model":"${echo}","message":{"thinking":"${echo}"}}`,
  `{"message":{"content":"${echo}"}}`,
  `{"message":{"tool_calls":[{"function":{"name":"tool","arguments":{"a":"${echo}"}}}]}}`,
];
