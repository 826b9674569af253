import { jsonParser, pipe } from "millrace";
import { parse as parseWithJsonriver } from "jsonriver";
import { parse as parseWithPartialJson } from "partial-json";
import { Assembler } from "stream-json/core/assembler.js";
import { jsonParser as streamJsonParser } from "stream-json/core/parser.js";
import { loadPeer } from "../../support/peers.js";
import { answeringAiSdk, answeringOpenAI } from "./streaming-models.js";

/**
 * Readers of JSON that arrives in pieces, with the text `{"v": …}`. Each yields its value after each piece, used as the
 * library's documentation shows for incomplete text. Each rejects with the library's error for invalid or incomplete
 * text.
 */
export type JsonReader = (source: AsyncIterable<string>) => AsyncIterable<unknown>;

const { JsonOutputParser } = await loadPeer("@langchain/core/output_parsers");
const { JSONParser } = await loadPeer("@streamparser/json");
const { Output, streamText } = await loadPeer("ai");

/** By their names on the page. */
export const readers: Readonly<Record<string, JsonReader>> = {
  millrace: (source) => pipe(source, jsonParser().stream),

  jsonriver: (source) => parseWithJsonriver(source),

  async *"partial-json"(source) {
    let text = "";
    for await (const piece of source) yield parseWithPartialJson((text += piece));
  },

  async *"@streamparser/json"(source) {
    const parser = new JSONParser({ emitPartialTokens: true, emitPartialValues: true });
    let value: unknown;
    parser.onValue = ({ value: shown, stack }) => {
      value = stack.length === 0 ? shown : (stack[1]?.value ?? value);
    };
    for await (const piece of source) {
      parser.write(piece);
      yield value;
    }
    if (!parser.isEnded) parser.end();
  },

  async *"stream-json"(source) {
    const read = streamJsonParser();
    const assembler = new Assembler();
    const take = (tokens: ReturnType<typeof read>): void => {
      if (typeof tokens === "object") for (const token of tokens.values) assembler.consume(token);
    };
    const nothing = read(""); // an empty text also marks the end
    for await (const piece of source) {
      take(read(piece));
      yield assembler.stack[0] ?? assembler.current; // the root, not the open value inside it
    }
    take(read(nothing as unknown as string));
    if (!assembler.done) throw new Error("The document is not complete.");
  },

  "LangChain.js": (source) => new JsonOutputParser().transform(source, {}),

  async *"AI SDK"(source) {
    const onError = (): void => {}; // otherwise it prints errors
    const result = streamText({ model: answeringAiSdk(source), prompt: "?", output: Output.json(), onError });
    yield* result.partialOutputStream;
    await result.output;
  },

  async *"openai SDK"(source) {
    const runner = answeringOpenAI(source);
    const parsed: unknown[] = [];
    runner.on("content.delta", (event) => parsed.push(event.parsed));
    for await (const _ of runner) yield* parsed.splice(0);
    yield* parsed.splice(0);
    const completion = await runner.finalChatCompletion();
    yield completion.choices[0]?.message.parsed;
  },
};
