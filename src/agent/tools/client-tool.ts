import { isRecord } from "../../messages/loose.js";
import type { JsonValue } from "../../json/value.js";
import { formatIssues } from "../../schema/schema.js";
import { type InputOf, type OutputOf, schemaOf, type SchemaInput } from "../../schema/schema-of.js";
import { checkOptions, type OptionNames, checkArgument } from "../../text/check-options.js";
import { tool, type ToolOf, type ToolOptions } from "../../tools/define/tool.js";
import type { InputArgsOf, ResultOf } from "../../tools/define/tool-types.js";
import { ToolError } from "../../tools/errors.js";
import { runTool } from "../../tools/run/run-tool.js";
import { hasWaited } from "../decisions.js";
import { type Journal, valueOrWait } from "../journal.js";
import type { ToolOutcome, ToolRun } from "../middleware/middleware.js";

/** The definition of a tool that the server and the page share: a plain object, `as const`, in a module of both. */
export interface SharedTool<
  Name extends string = string,
  S extends SchemaInput | undefined = SchemaInput | undefined,
  O extends SchemaInput | undefined = SchemaInput | undefined,
> {
  readonly name: Name;
  readonly description?: string;
  /** The schema of the arguments. Default: one string. */
  readonly schema?: S;
  /** The schema of the result. Default: any JSON. */
  readonly output?: O;
}

/** The function of a page that runs a tool. Arguments and result are those before defaults and transforms. */
export type ClientHandler<Tool extends SharedTool> = (
  args: InputArgsOf<SharedSchema<Tool, "schema">, unknown>,
) => ResultIn<Tool> | Promise<ResultIn<Tool>>;

/** The functions of a page for several tools, by their names. */
export type ClientHandlers<Tools extends readonly SharedTool[]> = {
  readonly [Tool in Tools[number] as Tool["name"]]: ClientHandler<Tool>;
};

type SharedSchema<Tool, Key extends "schema" | "output"> =
  Tool extends Readonly<Record<Key, infer S>> ? (S extends SchemaInput ? S : undefined) : undefined;

type ResultIn<Tool> =
  SharedSchema<Tool, "output"> extends infer O extends SchemaInput ? InputOf<O> : JsonValue;

/** The result of a client tool, as its schema returns it. */
type ClientResult<O> = O extends SchemaInput ? OutputOf<O> : JsonValue;

const optionNames = {
  name: true,
  description: true,
  schema: true,
  output: true,
} satisfies OptionNames<SharedTool>;

/**
 * Makes a tool that the page runs. The run pauses with its call (`tool_paused` with `waitsFor: "client"`), and the
 * program continues it with the result of the page: `agent.stream({ resume: state }, { results: { [id]: result } })`.
 *
 * The arguments are checked before the run pauses, and the result against `output` when it arrives. The model gets a
 * message about a result that does not satisfy it. Results come from the client, so do not trust them more than a
 * message of the user. A durable run records the result, or waits for the message `result` of the call if its journal
 * can receive messages.
 *
 * @throws {ToolError} `invalid_tool`, as `tool()`
 *
 * @example
 * ```ts
 * import { createAgent, textOf } from "millrace";
 * import { type ClientHandler, clientTool } from "millrace/agent";
 * import { scriptedModel } from "millrace/testing";
 * import { z } from "zod";
 *
 * // In a module of the server and the page:
 * const paint = { name: "paint", schema: z.object({ colour: z.string() }), output: z.object({ ok: z.boolean() }) } as const;
 * // On the page:
 * const onPaint: ClientHandler<typeof paint> = ({ colour }) => ({ ok: colour === "red" });
 *
 * const call = { type: "tool_call" as const, id: "1", name: "paint", args: { colour: "red" } };
 * const agent = createAgent({
 *   model: scriptedModel(({ index }) => (index === 0 ? [{ content: [call] }] : ["It is red."])),
 *   tools: [clientTool(paint)],
 * });
 * const { state } = await agent.invoke("Red, please.");
 * console.log(state.status); // "paused"
 * const results = { 1: await onPaint({ colour: "red" }) };
 * const { messages } = await agent.invoke({ resume: state }, { results });
 * console.log(messages.map(textOf).slice(2)); // ['{"ok":true}', "It is red."]
 * ```
 */
export function clientTool<
  const Name extends string,
  const S extends SchemaInput | undefined = undefined,
  const O extends SchemaInput | undefined = undefined,
>(definition: SharedTool<Name, S, O>): ToolOf<Name, S, unknown, ClientResult<O>, unknown> {
  checkOptions("clientTool()", definition, optionNames, {
    run: "The page runs the tool. Write tool() for one that runs here.",
  });
  const { output, ...own } = definition;
  const made = tool<Name, S>({
    ...own,
    run: () => {
      throw new ToolError(
        "failed",
        `"${own.name}" runs on the page, so only a run of an agent can wait for it.`,
      );
    },
  });
  const outcomes = (run: ToolRun): AsyncIterable<ToolOutcome> => outcomesOf(run, output);
  return Object.assign(made, { outcomes }) as never;
}

/**
 * Makes a tool that runs on the server, from a definition that the page shares.
 *
 * @throws {ToolError} `invalid_tool`, as `tool()`
 *
 * @example
 * ```ts
 * import { sharedTool } from "millrace/agent";
 * import { z } from "zod";
 *
 * const weather = { name: "weather", schema: z.object({ city: z.string() }), output: z.number() } as const;
 * const tool = sharedTool(weather, ({ city }) => city.length);
 * console.log(await tool.invoke({ city: "Oslo" })); // 4
 * ```
 */
export function sharedTool<
  const Name extends string,
  const S extends SchemaInput | undefined = undefined,
  const O extends SchemaInput | undefined = undefined,
  Context = unknown,
  Returned = unknown,
>(
  definition: SharedTool<Name, S, O>,
  run: ToolOptions<Name, S, unknown, Context, Returned>["run"] &
    ((
      ...args: never
    ) => ResultOf<Returned> extends ClientResult<O> ? unknown : { readonly "not the output": O }),
): ToolOf<Name, S, unknown, ResultOf<Returned>, Context> {
  checkArgument("sharedTool()", "a definition", isRecord(definition), definition);
  const { output: _, ...own } = definition;
  return tool<Name, S, unknown, Context, Returned>({ ...own, run });
}

async function* outcomesOf(
  toolRun: ToolRun,
  output: SchemaInput | undefined,
): AsyncGenerator<ToolOutcome, undefined, undefined> {
  const { tool: called, call, run, state, journal, idempotencyKey } = toolRun;
  const { results = {}, context, store, signal } = run;
  const options = { state, context, store, signal, idempotencyKey };
  let waits = false;
  const running = (find: () => Promise<readonly JsonValue[]>): AsyncIterable<ToolOutcome> => {
    const run = async (): Promise<unknown> => {
      const [result] = await find();
      waits = result === undefined;
      return result === undefined ? undefined : checkedResult(result, output, called.name);
    };
    return runTool({ ...called, run }, call, options);
  };
  // In an array, because null is a result.
  const isSent = hasWaited(toolRun) && Object.hasOwn(results, call.id);
  const sent = isSent ? [results[call.id] ?? null] : undefined;
  const find = async (): Promise<readonly JsonValue[]> =>
    ((await valueOrWait(journal, "client", () => Promise.resolve(sent))) ?? []) as readonly JsonValue[];
  for await (const outcome of running(find)) yield waits ? { type: "paused", waitsFor: "client" } : outcome;
  if (waits && journal?.receive !== undefined)
    yield* running(async () => [await (journal as Required<Journal>).receive("result")]);
}

async function checkedResult(
  result: JsonValue,
  output: SchemaInput | undefined,
  tool: string,
): Promise<unknown> {
  if (output === undefined) return result;
  const validation = await schemaOf(output).validate(result);
  if (validation.issues === undefined) return validation.value;
  const { issues } = validation;
  const problem = `The result of "${tool}" from the client does not satisfy its schema. ${formatIssues(issues)}`;
  throw new ToolError("result", problem, { tool, issues });
}
