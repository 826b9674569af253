/** A user's program that imports the entries without optional peers. Compiled, and never run. */
import {
  collect,
  createAgent,
  from,
  initModel,
  jsonParser,
  map,
  mergeChunks,
  pipe,
  tool,
  xmlParser,
  type AgentEvent,
  type AssistantMessage,
  type ChatModel,
  type JsonPatch,
  type JsonValue,
  type Operator,
} from "millrace";
import type { DeepPartial, AnyPatchOperation } from "millrace/json";
import { anthropic } from "millrace/anthropic";
import { createPatchStore, fromEventStream, type PatchState } from "millrace/client";
import { gemini } from "millrace/gemini";
import { ollama } from "millrace/ollama";
import { decodeOpenAIChat, openai } from "millrace/openai";
import { redisLog, type NodeRedisClient } from "millrace/redis";
import { memoryLog, toAgUi, toEventStream, toUiMessageStream, type StreamLog } from "millrace/serve";
import { operatorLaws, scriptedModel, type Law } from "millrace/testing";

interface Tea {
  readonly name: string;
  readonly steps: string[];
}

/** A Standard Schema, as any library gives one. */
declare const teaSchema: {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => { readonly value: Tea };
    readonly types?: { readonly input: Tea; readonly output: Tea };
  };
};
declare const redis: NodeRedisClient;

const models: ChatModel[] = [
  openai({ model: "m", baseURL: "http://127.0.0.1" }),
  anthropic({ model: "m", apiKey: "k" }),
  ollama({ model: "m" }),
  scriptedModel(["{}"]),
  await initModel("openai:gpt-6.1-terra"),
];
const model = models[0] as ChatModel;
const chunks = gemini({ model: "m" }).stream("Tea?", {
  extra: { toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["brew"] } } },
});
ollama({ model: "m" }).stream("Tea?", { extra: { options: { num_ctx: 4096 } } });

const parser = jsonParser(teaSchema);
export const partials: AsyncIterable<DeepPartial<Tea>> = pipe(chunks, parser.stream);
export const teas: AsyncIterable<Tea> = pipe(from(["{}"]), parser.final);
export const items: AsyncIterable<JsonValue> = pipe(from(["{}"]), jsonParser().items("/steps"));
export const patches: AsyncIterable<JsonPatch> = pipe(from("{}"), parser.patches);
export const messages: AsyncIterable<AssistantMessage> = pipe(model.stream("Tea?"), mergeChunks());
export const lengths: Promise<number[]> = collect(
  pipe(
    from(["a"]),
    map((text) => text.length),
  ),
);
export const decoded: AsyncIterable<DeepPartial<Tea>> = pipe(
  from([{ choices: [] }]),
  decodeOpenAIChat(),
  parser.stream,
);
export const leaves: AsyncIterable<object> = pipe(from(["<a/>"]), xmlParser().stream);
// @ts-expect-error: what comes out of one stage does not go into the next
pipe(from([1, 2]), parser.stream);
// @ts-expect-error: a name is a text
export const numbered: AsyncIterable<{ readonly name: number }> = pipe(from(["{}"]), parser.final);

const brew = tool({ name: "brew", schema: teaSchema, run: ({ name }) => name.length });
const agent = createAgent({ model, tools: [brew], responseFormat: teaSchema });
export const events: AsyncIterable<AgentEvent> = agent.stream("Tea?");
export const result: Promise<{ readonly structuredResponse: Tea }> = agent.invoke("Tea?");

const logs: StreamLog[] = [memoryLog(), redisLog(redis)];
export const responses: Response[] = [
  ...logs.map((log) => toEventStream(agent.patches("Tea?"), { log, id: "1" })),
  toUiMessageStream(agent.stream("Tea?")),
];
export const agUi: AsyncIterable<object> = toAgUi(agent.stream("Tea?"), { runId: "1", threadId: "1" });

export const read: AsyncIterable<readonly AnyPatchOperation[]> = fromEventStream(new URL("http://127.0.0.1"));
export const state = (): PatchState<Tea> => createPatchStore<Tea>().getState();

declare const upper: Operator<string, string>;
export const laws: readonly Law[] = operatorLaws(() => upper, { inputs: ["a", "b"] });
