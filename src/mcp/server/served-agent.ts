import { parseFormat } from "../../agent/answer/response-format.js";
import { type Agent, createAgent } from "../../agent/agent.js";
import type { AgentOptions } from "../../agent/agent-options.js";
import type { AgentEvent, FinishEvent } from "../../agent/events.js";
import type { Middleware, NestedAgent } from "../../agent/middleware/middleware.js";
import type { AgentInput } from "../../agent/state.js";
import type { Journal } from "../../agent/journal.js";
import type { JsonObject, JsonValue } from "../../json/value.js";
import { textOf } from "../../messages/blocks/read.js";
import { schemaOf, type SchemaInput } from "../../schema/schema-of.js";
import { tool } from "../../tools/define/tool.js";
import type { AnyTool } from "../../tools/run/any-tool.js";
import type { ToolInvocation, ToolRuntime } from "../../tools/run/runtime.js";
import { McpToolsError } from "../errors.js";

/** An agent that is offered as a tool. */
export interface ServedAgent {
  readonly agent: Agent;
  /** The name of the tool. Default: the name of the agent. */
  readonly name?: string;
  /** Tells the client what the agent can do, and when to use it. */
  readonly description: string;
  /** The schema of the arguments: an object. Default: one string, `input`. */
  readonly schema?: SchemaInput;
  /** Makes the input of the agent from the arguments. Default: the string, or the arguments as JSON. */
  readonly input?: (args: never) => AgentInput;
}

/** Asks the user of the client about a call of a tool inside an agent. */
export type AskUser = (call: ToolInvocation) => Promise<JsonValue>;

/** An agent as a tool, and what it needs from each request. */
export interface AgentFace {
  readonly tool: AnyTool;
  /** The JSON Schema of `structuredContent`, if there is one schema and it describes an object. */
  readonly outputSchema: JsonObject | undefined;
  /** The tool for one request. */
  readonly with: (askUser: AskUser) => AnyTool;
}

/** @throws {ToolError} `invalid_tool` if the name or the schema cannot be used */
export function agentFace({ agent, name, description, schema, input }: ServedAgent): AgentFace {
  const toInput = (input ??
    ((args: unknown) => (typeof args === "string" ? args : JSON.stringify(args)))) as (
    args: unknown,
  ) => AgentInput;
  const made = tool({
    name: name ?? agent.name ?? "",
    description,
    ...(schema !== undefined && { schema }),
    onError: false,
    run: () => undefined,
  }) as AnyTool;
  return {
    tool: made,
    outputSchema: outputSchemaOf(agent),
    with: (askUser) => ({
      ...made,
      run: (args: unknown, runtime: ToolRuntime) => runAgent(agent, toInput(args), runtime, askUser),
    }),
  };
}

function outputSchemaOf({ options: { responseFormat } }: Agent): JsonObject | undefined {
  if (responseFormat === undefined || Array.isArray(responseFormat)) return undefined;
  const [schema, ...others] = parseFormat(responseFormat).schemas;
  if (schema === undefined || others.length > 0) return undefined;
  const { jsonSchema } = schemaOf(schema);
  return jsonSchema["type"] === "object" ? jsonSchema : undefined;
}

/** Runs an agent as a tool: yields what it does as progress, and returns its answer. */
async function* runAgent(
  { options }: Agent,
  input: AgentInput,
  { signal, context }: ToolRuntime,
  askUser: AskUser,
): AsyncGenerator<string, unknown, undefined> {
  const agent = askingAgent(options, askUser);
  let finish: FinishEvent | undefined;
  for await (const event of agent.stream(input, { signal, context })) {
    if (event.type === "finish") finish = event;
    const words = wordsFor(event);
    if (words !== undefined) yield words;
  }
  if (finish === undefined || finish.reason === "paused") {
    throw new McpToolsError(
      "approval",
      "The agent waits for a decision of a person, or for a result of a page, which it cannot get here.",
    );
  }
  const { messages, response } = finish.state;
  const last = messages.at(-1);
  if (response !== undefined) {
    return { role: "tool", content: JSON.stringify(response.value), artifact: response.value };
  }
  return { role: "tool", content: last === undefined ? "" : textOf(last) };
}

/** The words for a client while an agent works, without arguments and results. */
function wordsFor(event: AgentEvent): string | undefined {
  switch (event.type) {
    case "step":
      return `Step ${event.step}`;
    case "tool_start":
      return `${event.name} runs`;
    case "tool_paused":
      return `${event.name} waits for a decision`;
    case "tool_result":
      return `${event.name} is done`;
    case "tool_error":
      return `${event.name} failed`;
    default:
      return undefined;
  }
}

/** The agent, whose calls that wait for a decision get the answer of the user, also those of agents inside it. */
function askingAgent(options: AgentOptions, askUser: AskUser): Agent {
  return createAgent({
    ...options,
    middleware: [asking(askUser), ...(options.middleware ?? []), withoutPage],
  });
}

/** `humanApproval()` waits for the answer as in a durable run. */
function asking(askUser: AskUser): Middleware {
  return {
    name: "serveMcp",
    aroundTool: (run, next) => {
      const journal: Journal = {
        step: (_name, begin) => begin(1),
        receive: () => askUser(run.call),
      };
      const nested = ({ options }: NestedAgent): NestedAgent => askingAgent(options as AgentOptions, askUser);
      return next({ ...run, journal, nested });
    },
  };
}

/** A client tool would take the decision for its result. */
const withoutPage: Middleware = {
  name: "serveMcp",
  aroundTool: ({ journal: _journal, ...run }, next) => next(run),
};
