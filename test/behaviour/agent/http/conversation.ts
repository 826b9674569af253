import type { LLMock } from "@copilotkit/aimock";
import { type AgentEvent, type AgentInput, type AgentState, createAgent, type AgentOptions } from "millrace";
import type { Api, Asked, RequestBody } from "./apis.js";
import { wireLinesOf, type WireMessage } from "./transcript.js";

/** The answer of the mock to one request. */
export type ModelAnswer = Parameters<LLMock["on"]>[1];

/** The pace at which the mock sends it. */
export type ModelPace = NonNullable<Parameters<LLMock["on"]>[2]>;

/** The outcome of a run on both sides of the wire. */
export interface Conversed {
  readonly events: readonly AgentEvent[];
  /** The error of the run. */
  readonly error: unknown;
  /** The final state, from the last event or the error. */
  readonly state: AgentState | undefined;
  /** The messages of each request, as lines. */
  readonly received: readonly (readonly string[])[];
  readonly asked: readonly Asked[];
}

/** Small enough to split names, escapes and arguments. */
const pace: ModelPace = { chunkSize: 7 };

/** Runs an agent against a mock with one answer for each request. */
export async function converse(
  mock: LLMock,
  api: Api,
  options: Omit<AgentOptions, "model">,
  input: AgentInput,
  answers: readonly ModelAnswer[],
  how: ModelPace = pace,
): Promise<Conversed> {
  script(mock, answers, how);
  const bodies: RequestBody[] = [];
  const model = api.create(mock.url, {
    fetch: (url, init) => {
      bodies.push(JSON.parse(init.body as string) as RequestBody);
      return fetch(url, init);
    },
  });
  const { events, error } = await eventsOf(createAgent({ ...options, model }).stream(input));
  return {
    events,
    error,
    state: stateAtEnd(events, error),
    received: mock.getRequests().map(({ body }) => wireLinesOf(messagesIn(body))),
    asked: bodies.map((body) => api.askedFor(body)),
  };
}

/** Resets the mock. It then sends these answers in order, for any request. */
function script(mock: LLMock, answers: readonly ModelAnswer[], how: ModelPace = pace): void {
  mock.clearFixtures();
  mock.clearRequests();
  let next = 0;
  mock.on(
    { predicate: () => next < answers.length },
    (request) => {
      const answer = answers[next++] as ModelAnswer;
      return typeof answer === "function" ? answer(request) : (answer as never);
    },
    how,
  );
}

/** The events of a run, and its error. */
export async function eventsOf(
  run: AsyncIterable<AgentEvent>,
): Promise<{ readonly events: readonly AgentEvent[]; readonly error: unknown }> {
  const events: AgentEvent[] = [];
  try {
    for await (const event of run) events.push(event);
  } catch (error) {
    return { events, error };
  }
  return { events, error: undefined };
}

function stateAtEnd(events: readonly AgentEvent[], error: unknown): AgentState | undefined {
  const last = events.at(-1);
  return last?.type === "finish" ? last.state : (error as { readonly state?: AgentState } | undefined)?.state;
}

function messagesIn(body: unknown): readonly WireMessage[] {
  return (body as { readonly messages: readonly WireMessage[] }).messages;
}
