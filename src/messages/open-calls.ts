import { isObject, type JsonObject, type JsonValue, valueAt } from "../json/value.js";
import type { ContentBlock, ToolCallBlock } from "./blocks/blocks.js";
import { isFinishedCall } from "./blocks/read.js";
import type { Message } from "./message.js";

/** The part of a paused run that says which calls wait. */
export interface PausedCalls {
  readonly messages: readonly Message[];
  /** The state with which each call continues, by its id: that of a nested run. */
  readonly saved?: Readonly<Record<string, JsonValue>>;
  /** The ids of the calls that wait for a result of the client, not for a decision. */
  readonly clientCalls?: readonly string[];
  /** Whether a call that needs approval has it, by the ids of the calls. */
  readonly approved?: Readonly<Record<string, boolean>>;
}

export function callIds(messages: readonly Message[]): string[] {
  return messages.flatMap(({ role, content }) => {
    if (role !== "assistant") return [];
    return content.flatMap((block) => (isFinishedCall(block) ? block.id : []));
  });
}

/** The tool calls without a tool message. A resumed run starts with them. */
export function openCalls(messages: readonly Message[]): ToolCallBlock[] {
  const answered = new Set<string>();
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at] as Message;
    if (message.role === "tool") answered.add(message.toolCallId);
    else if (message.role !== "assistant") return [];
    else {
      return message.content.filter(
        (block): block is ToolCallBlock => block.type === "tool_call" && !answered.has(block.id),
      );
    }
  }
  return [];
}

/** The calls that wait in a paused run: instead of a call that runs an agent, those that wait inside. */
export function waitingCalls(run: PausedCalls): WaitingCall[] {
  return openCalls(run.messages).flatMap((call) => waitingInside(call, run));
}

/** The calls that wait inside a call that runs an agent; for any other call, that call. */
export function waitingInside<Call extends { readonly id: string }>(
  call: Call,
  { saved, clientCalls = [] }: Pick<PausedCalls, "saved" | "clientCalls">,
): WaitingCall<Call | ToolCallBlock>[] {
  const inner = nestedRun(valueAt(saved, [call.id]));
  if (inner !== undefined) return waitingCalls(inner);
  return [{ call, isForClient: clientCalls.includes(call.id) }];
}

/**
 * The state of a nested run with other ids for calls that wait with a taken one, as a decision about one call would apply
 * to both. Their models do not know of each other.
 *
 * @param prefix begins the other ids
 * @param taken the ids of other calls that wait. Those of this run are added
 */
export function withFreeIds<Run extends PausedCalls>(run: Run, prefix: string, taken: Set<string>): Run {
  const { messages, saved = {} } = run;
  const own = new Set(callIds(messages));
  const free = new Map<string, string>();
  const inside = new Map(Object.entries(saved));
  for (const { id } of openCalls(messages)) {
    const inner = nestedRun(inside.get(id));
    if (inner !== undefined) inside.set(id, withFreeIds(inner, prefix, taken));
    else {
      let name = id;
      while (taken.has(name) || (name !== id && own.has(name))) name = `${prefix}_${name}`;
      taken.add(name);
      free.set(id, name);
    }
  }
  return withIds(
    { ...run, ...(inside.size > 0 && { saved: Object.fromEntries(inside) }) },
    (id) => free.get(id) ?? id,
  );
}

/** The state of a nested run with this before the id of each call of its last message, also inside those calls. */
export function withPrefix<Run extends PausedCalls>(run: Run, prefix: string): Run {
  const inside = Object.entries(run.saved ?? {}).map(([id, it]) => {
    const inner = nestedRun(it);
    return [id, inner === undefined ? it : withPrefix(inner, prefix)] as const;
  });
  return withIds(
    { ...run, ...(inside.length > 0 && { saved: Object.fromEntries(inside) }) },
    (id) => `${prefix}_${id}`,
  );
}

/** The run with other ids of the calls of its last message. */
function withIds<Run extends PausedCalls>(run: Run, idOf: (id: string) => string): Run {
  const { messages, saved, clientCalls, approved } = run;
  const renamedKeys = <T>(byId: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(byId).map(([id, it]) => [idOf(id), it]));
  const last = messages.findLastIndex(({ role }) => role === "assistant");
  const renamed = (block: ContentBlock): ContentBlock =>
    isFinishedCall(block) ? { ...block, id: idOf(block.id) } : block;
  return {
    ...run,
    messages: messages.map((it, at) => {
      if (at < last) return it;
      return it.role === "tool"
        ? { ...it, toolCallId: idOf(it.toolCallId) }
        : { ...it, content: it.content.map(renamed) };
    }),
    ...(saved && { saved: renamedKeys(saved) }),
    ...(clientCalls && { clientCalls: clientCalls.map(idOf) }),
    ...(approved && { approved: renamedKeys(approved) }),
  };
}

/** The state of the run inside a paused call, if that is what the call has saved. */
export function nestedRun(saved: JsonValue | undefined): (PausedCalls & JsonObject) | undefined {
  return isObject(saved) && Array.isArray(saved["messages"]) ? (saved as never) : undefined;
}

interface WaitingCall<Call = ToolCallBlock> {
  readonly call: Call;
  readonly isForClient: boolean;
}
