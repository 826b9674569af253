import type { ChatModel } from "millrace";
import type { ProviderOptions } from "millrace/models";
import { anthropic } from "millrace/anthropic";
import { openai } from "millrace/openai";

/** The API of a provider, as an agent calls a mock of it. */
export interface Api {
  readonly name: string;
  /** @param url the URL of the mock without a path */
  create(url: string, options?: Partial<ProviderOptions>): ChatModel;
  /** The response format of a request, in the same form for all APIs. */
  askedFor(body: RequestBody): Asked;
}

/** The body of a request. */
export type RequestBody = Readonly<Record<string, unknown>>;

export interface Asked {
  /** The names of the tools. */
  readonly tools: readonly string[];
  /** Whether the model must call one of them. */
  readonly required: boolean;
  /** The name of the schema that the provider enforces. */
  readonly schema: string | undefined;
}

interface OpenAIBody {
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly tool_choice?: string;
  readonly response_format?: { readonly json_schema: { readonly name: string } };
}

interface AnthropicBody {
  readonly tools?: readonly { readonly name: string }[];
  readonly tool_choice?: { readonly type: string };
  readonly output_config?: { readonly format: { readonly schema: { readonly title: string } } };
}

export const apis: readonly Api[] = [
  {
    name: "OpenAI",
    create: (url, options) =>
      openai({ model: "gpt-4o", baseURL: `${url}/v1`, apiKey: "mock", maxRetries: 0, ...options }),
    askedFor: (body: OpenAIBody) => ({
      tools: (body.tools ?? []).map((tool) => tool.function.name),
      required: body.tool_choice === "required",
      schema: body.response_format?.json_schema.name,
    }),
  },
  {
    name: "Anthropic",
    create: (url, options) =>
      anthropic({ model: "claude-sonnet-4-5", baseURL: url, apiKey: "mock", maxRetries: 0, ...options }),
    askedFor: (body: AnthropicBody) => ({
      tools: (body.tools ?? []).map(({ name }) => name),
      required: body.tool_choice?.type === "any",
      schema: body.output_config?.format.schema.title,
    }),
  },
];
