import { checkOptions, type OptionNames } from "../../text/check-options.js";
import type { JsonObject } from "../../json/value.js";
import type { Message } from "../../messages/message.js";
import { compose } from "../../stream/compose.js";
import { systemClock } from "../../stream/time/clock.js";
import type { CallOptions, ChatModel, ModelProfile } from "../contract/chat-model.js";
import { answerEvents } from "./answer-events.js";
import {
  checkKey,
  type Endpoint,
  environmentVariable,
  keyHeaders,
  putHeader,
  type ReadVariable,
} from "./endpoint.js";
import { ModelError, unwritableRequest } from "../contract/errors.js";
import { postForStream } from "./post-for-stream.js";
import { excerpt, messageOf } from "../../text/excerpt.js";
import { requestingModel } from "./requesting-model.js";
import type { Fetch, ProviderOptions } from "../contract/provider-options.js";
import { isInstance, fieldOf } from "../../text/thrown.js";
import { decoderStage, type ProviderWire } from "../wire/decoder-stage.js";
import { wellFormedJson } from "../../text/json-text.js";

/** What differs from provider to provider: the place, the request, and how its answer is decoded. */
export interface ProviderAdapter<E extends Endpoint> {
  readonly name: string;
  readonly profile: ModelProfile;
  readonly toolForm?: string;
  readonly ownOptions?: Readonly<Record<string, true>>;
  endpoint(variable: ReadVariable): E;
  request(messages: readonly Message[], call: CallOptions, endpoint: E): JsonObject | Promise<JsonObject>;
  readonly wire: ProviderWire;
}

// prettier-ignore
const optionNames = {
  model: true, apiKey: true, token: true, baseURL: true, headers: true, maxRetries: true, timeouts: true, profile: true,
  stream: true, createId: true, fetch: true, clock: true, random: true,
} satisfies OptionNames<ProviderOptions>;

const perCall = "It belongs to a call: write model.stream(messages, { … }), or the callOptions of an agent.";
// prettier-ignore
const hints = {
  temperature: perCall, topP: perCall, maxTokens: perCall, stop: perCall, seed: perCall, tools: perCall,
  toolChoice: perCall, responseFormat: perCall, reasoning: perCall, extra: perCall, signal: perCall,
  modelName: 'Write "model".',
  timeout: "Write timeouts: { firstToken, idle, total }.",
  streaming: "Every model streams. For a server that cannot, write stream: false.",
};

/** A model that sends its requests over HTTP. */
export function providerModel<Extra, E extends Endpoint>(
  options: ProviderOptions,
  provider: ProviderAdapter<E>,
): ChatModel<Extra> {
  checkOptions(`${provider.name}()`, options, { ...optionNames, ...provider.ownOptions }, hints);
  const { clock = systemClock } = options;
  // The environment is read at the first request: a build may run without the variables of the server.
  let endpoint = provider.endpoint(options.apiKey === undefined ? () => undefined : environmentVariable);
  if (options.apiKey !== undefined && options.token === undefined) checkKey(endpoint);
  let isReady = false;
  const readEnvironment = (): E => {
    if (!isReady) endpoint = provider.endpoint(environmentVariable);
    if (options.token === undefined) checkKey(endpoint);
    isReady = true;
    return endpoint;
  };
  // Looked up for each request, because tests and frameworks replace the global fetch().
  const fetch: Fetch = options.fetch ?? ((address, init) => globalThis.fetch(address, init));

  /** The latest ones, for errors that repeat them. */
  let tokens: readonly string[] = [];
  const headersFor = async (known: Headers): Promise<Headers> => {
    if (options.token === undefined) return known;
    const token = await tokenOf(options.token);
    if (!tokens.includes(token)) tokens = [token, ...tokens].slice(0, keptTokens);
    const headers = new Headers(known);
    for (const name of keyHeaders) headers.delete(name); // a token replaces them
    putHeader(headers, "authorization", `Bearer ${token}`);
    return headers;
  };

  return requestingModel<Extra>(options, {
    provider: provider.name,
    model: options.model,
    profile: provider.profile,
    toolForm: provider.toolForm,
    redactor: () => (tokens.length === 0 ? endpoint.redactor : endpoint.redactor.with(tokens)),
    async open({ messages, call, signal, notes }) {
      const place = readEnvironment();
      const headers = await headersFor(place.headers);
      const body = await requestText(async () => {
        const request = await provider.request(messages, call, place);
        return options.stream === false ? withoutStream(request) : request;
      });
      const { onBytes } = notes;
      const answer = await postForStream({ fetch, url: place.url, headers, body, signal, clock, onBytes });
      notes.requestId = answer.source.known.requestId;
      const decode = decoderStage(provider.wire, () => answer.expectEnd());
      return compose(answerEvents(provider.wire, answer.source), decode)(answer);
    },
  });
}

async function tokenOf(token: NonNullable<ProviderOptions["token"]>): Promise<string> {
  let found: string;
  try {
    found = (await token()).trim();
  } catch (cause) {
    throw new ModelError("no_key", `The option token() failed: ${excerpt(messageOf(cause))}`, { cause });
  }
  if (found === "") throw new ModelError("no_key", "The option token() returned an empty token.");
  return found;
}

const keptTokens = 10;

/** The request for a whole answer. Gemini has another path for it, and no field. */
function withoutStream({ stream, stream_options: _, ...request }: JsonObject): JsonObject {
  return stream === undefined ? request : { ...request, stream: false };
}

async function requestText(create: () => Promise<JsonObject>): Promise<string> {
  let request: JsonObject | undefined;
  try {
    request = await create();
    return wellFormedJson(JSON.stringify(request));
  } catch (cause) {
    // JSON.stringify() throws a TypeError for a cycle. Both functions throw a RangeError for deep nesting.
    const isCycle = request !== undefined && isInstance(cause, TypeError);
    if (!isCycle && !isInstance(cause, RangeError)) throw cause;
    throw unwritableRequest(cause);
  }
}

export function checkModelName(options: unknown, factory: string, example: string): void {
  const model = fieldOf(options, "model");
  if (typeof model === "string" && model.trim() !== "") return;
  throw new ModelError(
    "no_model",
    `${factory}() requires the name of a model, for example ${factory}({ model: "${example}" }).`,
  );
}
