import { isRecord } from "../../messages/loose.js";
import type { JsonObject, JsonValue } from "../../json/value.js";
import { type OnRunError, toShownFailure } from "../../serve/shown-error.js";
import { longestTimer } from "../../stream/time/clock.js";
import { milliseconds } from "../../text/check-number.js";
import { checkOptions, type OptionNames, checkArgument } from "../../text/check-options.js";
import { cut, quoted } from "../../text/cut.js";
import { excerpt } from "../../text/excerpt.js";
import { isInstance } from "../../text/thrown.js";
import type { AnyTool } from "../../tools/run/any-tool.js";
import type { ToolEvent } from "../../tools/run/events.js";
import { runTool } from "../../tools/run/run-tool.js";
import { McpToolsError } from "../errors.js";
import { type AgentFace, agentFace, type AskUser, type ServedAgent } from "./served-agent.js";
import { keptRun, type Running, takeKeptRun } from "./kept-run.js";
import { servedContent } from "./served-content.js";
import { answerRequests, type LowLevelMcpServer, type McpCall, type McpServerLike } from "./server.js";

/** The options of `serveMcp()`. */
export interface ServeMcpOptions {
  readonly tools?: readonly AnyTool[];
  /** Each agent is one tool. */
  readonly agents?: readonly ServedAgent[];
  /** The `context` of tools and agents, such as the user who has logged in. */
  readonly context?: (caller: McpCaller) => unknown;
  /** Receives the error of a call that failed. May return what the client sees. Default: a general sentence. */
  readonly onError?: OnRunError;
  /** How long a user may take for a decision, in milliseconds. Default: 600,000. */
  readonly decisionTimeout?: number;
}

/** The caller of a tool. */
export interface McpCaller {
  /** The identity that the transport found when it checked a token. */
  readonly authInfo: unknown;
  readonly sessionId: string | undefined;
}

// prettier-ignore
const optionNames = {
  tools: true, agents: true, context: true, onError: true, decisionTimeout: true,
} satisfies OptionNames<ServeMcpOptions>;

/**
 * Offers tools and agents to the clients of an MCP server. The server is the `McpServer` of an official package, not yet
 * connected and without tools of its own.
 *
 * Progress is sent to clients that ask for it. A client that cancels a call aborts it. Errors are results with `isError`,
 * with a text that has no details of the server. If a tool of an agent needs approval (`humanApproval()` without a
 * decision), the user of the client is asked, and without such a user the call fails.
 *
 * @throws {TypeError} if two have the same name
 * @throws {ToolError} `invalid_tool` if an agent has a name or a schema that cannot be used
 *
 * @example
 * ```ts no-run
 * import { McpServer } from "@modelcontextprotocol/server";
 * import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
 * import { createAgent, tool } from "millrace";
 * import { serveMcp } from "millrace/mcp";
 *
 * const time = tool({ name: "time", description: "The time now.", run: () => new Date().toISOString() });
 * const agent = createAgent({ name: "clerk", model: "anthropic:claude-haiku-4-5", tools: [time] });
 * const server = new McpServer({ name: "office", version: "1.0.0" });
 * serveMcp(server, { tools: [time], agents: [{ agent, description: "Answers questions about the office." }] });
 * await server.connect(new StdioServerTransport());
 * ```
 */
export function serveMcp(served: McpServerLike, options: ServeMcpOptions): void {
  checkArgument("serveMcp()", "a server", isRecord(served), served);
  checkOptions("serveMcp()", options, optionNames);
  const { tools = [], agents = [], context, onError } = options;
  const decisionTimeout = milliseconds("decisionTimeout", options.decisionTimeout ?? 600_000);
  const faces = new Map<string, AgentFace>();
  for (const face of [...tools.map(toolFace), ...agents.map(agentFace)]) {
    const { name } = face.tool;
    if (faces.has(name))
      throw new TypeError(`Two tools or agents have the name ${quoted(name)}. Rename one.`);
    faces.set(name, face);
  }
  const server = "server" in served ? served.server : served;
  const definitions = Array.from(faces.values(), definitionOf);

  server.registerCapabilities({ tools: {} });
  answerRequests(server, "tools/list", () => ({ tools: definitions }));
  answerRequests(server, "tools/call", async (call) => {
    const { name, arguments: args = {} } = call.params;
    const face = typeof name === "string" ? faces.get(name) : undefined;
    if (face === undefined || !isRecord(args)) {
      const problem =
        face === undefined ? `There is no tool ${quoted(String(name))}.` : "The arguments are no object.";
      throw Object.assign(new Error(problem), { code: invalidParams });
    }
    const { authInfo, sessionId, requestState, questions } = call;
    const run = async ({ signal, current, ask }: Running): Promise<object> => {
      const tool = face.with((asked) => decisionOf(asked, ask, signal));
      const invocation = { id: String(call.id), name: tool.name, args: args as JsonObject };
      try {
        const events = runTool(tool, invocation, { signal, context: context?.({ authInfo, sessionId }) });
        return await resultOf(events, progressTo(current), face);
      } catch (error) {
        return failed(error, onError);
      }
    };
    if (questions !== "possible") {
      const elicit = questions === undefined ? elicitation(server, call, decisionTimeout) : undefined;
      return run({ signal: call.signal, current: () => call, ask: elicit });
    }
    if (requestState === undefined) return keptRun(face.tool.name, decisionTimeout, run).respond(call);
    const kept = takeKeptRun(requestState);
    if (kept?.tool === face.tool.name) return kept.respond(call);
    return failed(new McpToolsError("approval", "The server does not know this call any more."), onError);
  });
}

/** The code of JSON-RPC for wrong parameters. */
const invalidParams = -32602;

function toolFace(tool: AnyTool): AgentFace {
  return { tool, outputSchema: undefined, with: () => tool };
}

function definitionOf({ tool, outputSchema }: AgentFace): object {
  const { name, description, parameters, effects } = tool;
  const { readOnly, destructive, idempotent, openWorld } = effects ?? {};
  const hints = Object.entries({
    readOnlyHint: readOnly,
    destructiveHint: destructive,
    idempotentHint: idempotent,
    openWorldHint: openWorld,
  }).filter(([, hint]) => hint !== undefined);
  return {
    name,
    ...(description !== undefined && { description }),
    inputSchema: parameters,
    ...(outputSchema !== undefined && { outputSchema }),
    ...(hints.length > 0 && { annotations: Object.fromEntries(hints) }),
  };
}

async function resultOf(
  events: AsyncIterable<ToolEvent>,
  report: (progress: unknown) => Promise<void>,
  { outputSchema }: AgentFace,
): Promise<object> {
  let last: Exclude<ToolEvent, { type: "progress" }> | undefined;
  for await (const event of events) {
    if (event.type === "progress") await report(event.value);
    else last = event;
  }
  const { content = [], status, artifact } = last?.message ?? {};
  return {
    content: servedContent(content),
    ...(outputSchema !== undefined && artifact !== undefined && { structuredContent: artifact }),
    ...(status === "error" && { isError: true }),
  };
}

/** Sends progress, which in the protocol is a number that rises, with a text. */
function progressTo(current: Running["current"]): (value: unknown) => Promise<void> {
  let latest: number | undefined;
  return async (value) => {
    const { progressToken, notify } = current() ?? {};
    if (progressToken === undefined || notify === undefined) return;
    const { progress, total, message }: Readonly<Record<string, unknown>> = isRecord(value) ? value : {};
    const isHigher = typeof progress === "number" && progress > (latest ?? -1);
    latest = isHigher ? progress : (latest ?? 0) + 1;
    const words = typeof value === "string" ? value : message;
    await notify({
      method: "notifications/progress",
      params: {
        ...{ progressToken, progress: latest },
        ...(isHigher && typeof total === "number" && { total }),
        ...(typeof words === "string" && { message: cut(words, 1_000) }),
      },
    });
  };
}

function failed(error: unknown, onError: OnRunError | undefined): object {
  const isOurs = isInstance(error, McpToolsError);
  const { message } = toShownFailure(error, onError);
  return { content: [{ type: "text", text: isOurs ? error.message : message }], isError: true };
}

/** Asks in the middle of a call, which protocols before 2026 allow. */
function elicitation(server: LowLevelMcpServer, { id, signal }: McpCall, timeout: number): Running["ask"] {
  const options = { signal, timeout: Math.min(timeout, longestTimer), relatedRequestId: id };
  return (params) => server.elicitInput(params as never, options);
}

/** Asks the user of the client whether a tool of an agent may run. */
async function decisionOf(
  { name, args }: Parameters<AskUser>[0],
  ask: Running["ask"],
  signal: AbortSignal,
): Promise<JsonValue> {
  const params = {
    mode: "form",
    message: `May the tool ${quoted(name)} run with ${excerpt(args, 1_000)}?`,
    requestedSchema: {
      type: "object",
      properties: {
        decision: { type: "string", title: "Decision", enum: ["approve", "reject"] },
        message: { type: "string", title: "Why not", description: "The agent gets this text." },
      },
      required: ["decision"],
    },
  };
  let answer: unknown;
  try {
    if (ask === undefined) throw new Error("The client has not declared that it can ask.");
    answer = await ask(params);
  } catch (cause) {
    signal.throwIfAborted();
    const problem = `The tool ${quoted(name)} of the agent needs the decision of a person, and this client cannot ask for it.`;
    throw new McpToolsError("approval", problem, { cause });
  }
  const { action, content } = isRecord(answer) ? answer : {};
  const { decision, message } = isRecord(content) ? content : {};
  if (action === "accept" && decision === "approve") return { type: "approve" };
  const reason = typeof message === "string" && message !== "" ? { message: cut(message, 2_000) } : undefined;
  return { type: "reject", ...reason };
}
