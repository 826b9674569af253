import type { ChatModel, ProviderOptions } from "millrace";
import { anthropic } from "millrace/anthropic";
import { openai } from "millrace/openai";

/** A provider's API, as a mock of it is asked by an agent. */
export interface Api {
  readonly name: string;
  /** @param url where the mock is, without a path */
  create(url: string, options?: Partial<ProviderOptions>): ChatModel;
  /** What a request said of the form of the answer, in words that are the same for all. */
  askedFor(body: RequestBody): Asked;
  /** How the arguments of a call that cannot be read go back, as JSON. */
  brokenArguments(text: string): string;
}

/** The body of a request as it was sent. */
export type RequestBody = Readonly<Record<string, unknown>>;

export interface Asked {
  /** The names of the tools. */
  readonly tools: readonly string[];
  /** Whether one of them must be called. */
  readonly required: boolean;
  /** The name of the schema that the provider is to hold the model to. */
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
    brokenArguments: (text) => text,
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
    brokenArguments: (text) => JSON.stringify({ INVALID_JSON: text }),
  },
];
