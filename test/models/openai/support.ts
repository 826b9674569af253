import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CallOptions, MessagesInput } from "millrace";
import { openai, type OpenAIOptions } from "millrace/openai";
import { outcomeOf } from "../support/models.js";
import { sentBy } from "../support/sent.js";

/** The body that a call sends. */
export const sent = sentBy(openai, { model: "gpt-test", apiKey: "key" });

/** The error of a call that fails before the request is sent. */
export async function refusal(
  input: MessagesInput,
  call?: CallOptions,
  options: Partial<OpenAIOptions> = {},
): Promise<unknown> {
  const fetch = async (): Promise<Response> => {
    throw new Error("something was sent");
  };
  const model = openai({ model: "gpt-test", apiKey: "key", fetch, maxRetries: 0, ...options });
  return (await outcomeOf(model.stream(input, call))).error;
}

/** Recorded streams of real providers, in a folder beside the repository. */
export interface Recording {
  readonly name: string;
  readonly lines: readonly string[];
}

export function recordings(api: "openai-chat" | "openai-responses"): Recording[] {
  const folder = join(import.meta.dirname, "../../../../shared/recordings", api);
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith(".jsonl")) : [];
  if (files.length === 0) console.log(`Skipped: there are no recordings in ${folder}`);
  return files.map((name) => ({
    name,
    lines: readFileSync(join(folder, name), "utf8").trim().split("\n"),
  }));
}
