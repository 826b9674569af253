import { existsSync } from "node:fs";
import type { ChatModel } from "millrace";
import { scriptedModel } from "millrace/testing";
import { script } from "./script.ts";

if (existsSync(".env")) process.loadEnvFile();
const { MODEL, OPENAI_API_KEY } = process.env;

/** The model that MODEL names, such as "anthropic:claude-sonnet-5-5", or one of OpenAI if there is a key. */
const name = MODEL || (OPENAI_API_KEY && "openai:gpt-6.1-terra");

/** Whether a script answers, because there is no key. */
export const isScripted = !name;

export const model: ChatModel | string = name || scriptedModel(script);
