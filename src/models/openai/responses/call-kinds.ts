import type { Metadata } from "../../../messages/blocks/metadata.js";
import { type Loose, asRecord, fieldsOrUndefined, nonEmptyText } from "../../loose.js";
import { argumentsIn, argumentText } from "../../wire/plain-json.js";
import { tableOf } from "../../../text/words-in.js";

export interface CallKind {
  readonly block: "tool_call_chunk" | "server_tool_call_chunk";
  /** The id that results refer to. */
  readonly idOf: (item: Loose) => string | undefined;
  readonly nameOf: (item: Loose) => string | undefined;
  /** Initial metadata of the block, needed to send the call back. */
  readonly metadataOf: (item: Loose) => Metadata | undefined;
  /** The JSON text that an event adds to the arguments. */
  readonly deltaOf?: (event: Loose, isFirst: boolean) => string | undefined;
  /** The complete arguments as JSON text, starting with the text that the events added. */
  readonly argumentsOf: (item: Loose) => string | undefined;
  /** The result in a complete item. Absent if the result is a separate item, or comes from the client. */
  readonly outputOf?: (item: Loose) => unknown;
}

/** Its metadata has the item's id and the namespace of a tool found by tool search, to be sent back. */
const functionCall: CallKind = {
  block: "tool_call_chunk",
  idOf: (item) => nonEmptyText(item["call_id"]),
  nameOf: (item) => nonEmptyText(item["name"]),
  metadataOf: ({ id, namespace }) =>
    fieldsOrUndefined({ id: nonEmptyText(id), namespace: nonEmptyText(namespace) }),
  deltaOf: deltas("response.function_call_arguments.delta"),
  argumentsOf: (item) => argumentsIn(item["arguments"]),
};

/** A tool that takes free text instead of JSON. Its arguments become `{input: text}`, so that it runs like others. */
const customCall: CallKind = {
  ...functionCall,
  metadataOf: (item) => ({ ...functionCall.metadataOf(item), type: "custom_tool_call" }),
  deltaOf: deltas("response.custom_tool_call_input.delta", '{"input":"'),
  argumentsOf: ({ input }) => json({ input: nonEmptyText(input) ?? "" }),
};

/** A tool that OpenAI runs. The complete item is the metadata of the call, so that it can be sent back. */
function serverCall(
  name: string | undefined,
  own: Pick<CallKind, "deltaOf" | "argumentsOf" | "outputOf">,
): CallKind {
  return {
    block: "server_tool_call_chunk",
    idOf: (item) => nonEmptyText(item["call_id"]) ?? nonEmptyText(item["id"]),
    nameOf: (item) => name ?? nonEmptyText(item["name"]),
    metadataOf: () => undefined,
    ...own,
  };
}

export function hasFailed({ status, error }: Loose): boolean {
  return status === "failed" || status === "incomplete" || (error !== null && error !== undefined);
}

export const callKinds: ReadonlyMap<unknown, CallKind> = tableOf({
  function_call: functionCall,
  custom_tool_call: customCall,
  web_search_call: serverCall("web_search", {
    argumentsOf: ({ action }) => {
      const { sources: _, ...args } = asRecord(action);
      return json(args);
    },
    outputOf: ({ action }) => asRecord(action)["sources"],
  }),
  file_search_call: serverCall("file_search", {
    argumentsOf: ({ queries }) => json({ queries }),
    outputOf: ({ results }) => results,
  }),
  code_interpreter_call: serverCall("code_interpreter", {
    deltaOf: deltas("response.code_interpreter_call_code.delta", '{"code":"'),
    argumentsOf: ({ code, container_id }) => json({ code: nonEmptyText(code) ?? "", container_id }),
    outputOf: ({ outputs }) => outputs,
  }),
  mcp_call: serverCall(undefined, {
    deltaOf: deltas("response.mcp_call_arguments.delta"),
    argumentsOf: (item) => argumentsIn(item["arguments"]) ?? "{}",
    outputOf: ({ output, error }) => output ?? error,
  }),
  tool_search_call: serverCall("tool_search", { argumentsOf: (item) => json(asRecord(item["arguments"])) }),
  shell_call: serverCall("shell", {
    deltaOf: shellDelta,
    argumentsOf: ({ action }) => {
      const { commands = [], ...others } = asRecord(action);
      return json({ commands, ...others });
    },
  }),
});

/** Reads JSON text, or after `opening` a text that becomes the first string in an object. */
function deltas(type: string, opening?: string): NonNullable<CallKind["deltaOf"]> {
  return ({ type: found, delta }, isFirst) => {
    if (found !== type) return undefined;
    return opening === undefined ? argumentsIn(delta) : inJson(opening, delta, isFirst);
  };
}

function inJson(opening: string, delta: unknown, first: boolean): string | undefined {
  const text = nonEmptyText(delta);
  return text === undefined ? undefined : `${first ? opening : ""}${json(text).slice(1, -1)}`;
}

/** JSON text for a piece of the shell commands, which arrive one after the other. */
function shellDelta({ type, command_index, delta }: Loose, isFirst: boolean): string | undefined {
  if (type === "response.shell_call_command.delta") return inJson('{"commands":["', delta, isFirst);
  const another = type === "response.shell_call_command.added" && typeof command_index === "number";
  return another && command_index > 0 && !isFirst ? '","' : undefined;
}

/**
 * JSON with every surrogate escaped. Text that is split inside a surrogate pair and encoded in pieces is then a prefix
 * of the text encoded at once.
 */
function json(value: unknown): string {
  return argumentText(value).replace(/[\ud800-\udfff]/g, (half) => `\\u${half.charCodeAt(0).toString(16)}`);
}
