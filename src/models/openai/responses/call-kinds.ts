import type { JsonObject, JsonValue } from "../../../json/value.js";
import { type Loose, asRecord, fieldsOrUndefined, nonEmptyText } from "../../loose.js";
import type { CallKind } from "./call-item.js";

/** A call of a function of ours. What goes back with it is the item's id, and the namespace of a tool that was found. */
const functionCall: CallKind = {
  block: "tool_call_chunk",
  idOf: (item) => nonEmptyText(item["call_id"]),
  nameOf: (item) => nonEmptyText(item["name"]),
  metadataOf: ({ id, namespace }) =>
    fieldsOrUndefined({ id: nonEmptyText(id), namespace: nonEmptyText(namespace) }),
  deltaOf: ({ type, delta }) =>
    type === "response.function_call_arguments.delta" ? nonEmptyText(delta) : undefined,
  argumentsOf: (item) => nonEmptyText(item["arguments"]),
};

/**
 * A call of a tool that takes any text, and not JSON: `{input: text}` here, so that it is run as every other. Its metadata
 * says what it was.
 */
const customCall: CallKind = {
  ...functionCall,
  metadataOf: (item) => ({ ...functionCall.metadataOf(item), type: "custom_tool_call" }),
  deltaOf: ({ type, delta }, before) =>
    type === "response.custom_tool_call_input.delta" ? inJson('{"input":"', delta, before.empty) : undefined,
  argumentsOf: ({ input }) => json({ input: nonEmptyText(input) ?? "" }),
};

/**
 * A tool that runs at OpenAI. Its item goes back as it is, so it is the metadata of the call; the result is a block of
 * its own.
 */
function serverCall(name: string | undefined, own: ServerCall): CallKind {
  return {
    block: "server_tool_call_chunk",
    idOf: (item) => nonEmptyText(item["call_id"]) ?? nonEmptyText(item["id"]),
    nameOf: (item) => name ?? nonEmptyText(item["name"]),
    metadataOf: () => undefined,
    ...(own.deltaOf === undefined ? undefined : { deltaOf: own.deltaOf }),
    argumentsOf: own.argumentsOf,
    end: (item, { index, id }, sink) => {
      sink.push({ type: "server_tool_call_chunk", index, metadata: item as JsonObject });
      if (own.outputOf === undefined) return;
      const output = (own.outputOf(item) ?? undefined) as JsonValue | undefined;
      const result = { type: "server_tool_result", toolCallId: id, status: statusOf(item) } as const;
      sink.push(output === undefined ? result : { ...result, output });
    },
  };
}

interface ServerCall extends Pick<CallKind, "deltaOf" | "argumentsOf"> {
  /** Absent where the result is an item of its own, or somebody else's to give. */
  outputOf?(item: Loose): unknown;
}

export function statusOf({ status, error }: Loose): "success" | "error" {
  const failed = status === "failed" || status === "incomplete";
  return failed || (error !== null && error !== undefined) ? "error" : "success";
}

/** By the type of the item. */
export const callKinds: ReadonlyMap<unknown, CallKind> = new Map([
  ["function_call", functionCall],
  ["custom_tool_call", customCall],
  [
    "web_search_call",
    serverCall("web_search", {
      argumentsOf: ({ action }) => {
        const { sources: _, ...args } = asRecord(action);
        return json(args);
      },
      outputOf: ({ action }) => asRecord(action)["sources"],
    }),
  ],
  [
    "file_search_call",
    serverCall("file_search", {
      argumentsOf: ({ queries }) => json({ queries }),
      outputOf: ({ results }) => results,
    }),
  ],
  [
    "code_interpreter_call",
    serverCall("code_interpreter", {
      deltaOf: ({ type, delta }, before) =>
        type === "response.code_interpreter_call_code.delta"
          ? inJson('{"code":"', delta, before.empty)
          : undefined,
      argumentsOf: ({ code, container_id }) => json({ code: nonEmptyText(code) ?? "", container_id }),
      outputOf: ({ outputs }) => outputs,
    }),
  ],
  [
    "mcp_call",
    serverCall(undefined, {
      deltaOf: ({ type, delta }) =>
        type === "response.mcp_call_arguments.delta" ? nonEmptyText(delta) : undefined,
      argumentsOf: (item) => nonEmptyText(item["arguments"]) ?? "{}",
      outputOf: ({ output, error }) => output ?? error,
    }),
  ],
  [
    "tool_search_call",
    serverCall("tool_search", { argumentsOf: (item) => json(asRecord(item["arguments"])) }),
  ],
  [
    "shell_call",
    serverCall("shell", {
      deltaOf: shellDelta,
      argumentsOf: ({ action }) => {
        const { commands = [], ...others } = asRecord(action);
        return json({ commands, ...others });
      },
    }),
  ],
]);

/** A piece of the first string of an object that is written as JSON. */
function inJson(opening: string, delta: unknown, first: boolean): string | undefined {
  const text = nonEmptyText(delta);
  return text === undefined ? undefined : `${first ? opening : ""}${json(text).slice(1, -1)}`;
}

/** The commands of a shell come one after the other: the start of each one but the first says so. */
function shellDelta(
  { type, command_index, delta }: Loose,
  before: { readonly empty: boolean },
): string | undefined {
  if (type === "response.shell_call_command.delta") return inJson('{"commands":["', delta, before.empty);
  const another = type === "response.shell_call_command.added" && typeof command_index === "number";
  return another && command_index > 0 && !before.empty ? '","' : undefined;
}

/**
 * JSON in which each half of a surrogate pair is an escape: so that what is cut between the two, and written piece by
 * piece, begins what is written at once.
 */
function json(value: unknown): string {
  return JSON.stringify(value).replace(/[\ud800-\udfff]/g, (half) => `\\u${half.charCodeAt(0).toString(16)}`);
}
