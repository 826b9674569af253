import type { Metadata } from "../../messages/blocks/metadata.js";
import { wordSet } from "../../text/words-in.js";
import { asRecord, given, isRecord, type Loose, nonEmptyText } from "../loose.js";
import type { ChunkDraft } from "./chunk-draft.js";
import { checkKeyCount } from "./errors.js";
import { argumentsIn, plainFields } from "./plain-json.js";

/**
 * Converts the tool-call deltas of one message to blocks that can be merged: every call has its own index, and its id
 * and name appear once.
 *
 * Handles servers that use one index for two calls with different ids (langchain#34807), start at index 1, omit the
 * index or the id, repeat id and name in each delta (or send them as "" or null), split a name across payloads, or send
 * arguments as an object, or before the name. A call that is sent once more, whole, is the same call.
 */
export function callDeltas(draft: ChunkDraft): CallDeltas {
  const byIndex = new Map<unknown, Call>();
  const byId = new Map<string, Call>();
  const unnamed = new Set<Call>();
  let last: Call | undefined;

  /** Readers of arguments need the name of their tool, so arguments wait for it. */
  const argumentsFor = (call: Call, sent: string | undefined): string | undefined => {
    const text = sent !== undefined && repeatsArgs(call, sent) ? undefined : sent;
    if (text !== undefined) {
      call.hasArgs = true;
      call.args += text;
      call.braces.add(text);
    }
    const { held } = call;
    const all = held === "" ? text : held + (text ?? "");
    call.held = call.name === "" ? (all ?? "") : "";
    if (call.name !== "") return all;
    unnamed.add(call);
    return undefined;
  };
  /** The call with this id that the delta continues or repeats, whatever its index. */
  const earlier = ({ id, name, args = "" }: Said): Call | undefined => {
    const call = id === undefined ? undefined : byId.get(id);
    if (call === undefined || name === undefined) return call;
    return name === call.name && repeatsArgs(call, args) ? call : undefined;
  };
  const callAt = (place: unknown, said: Said): Call => {
    const before = place === undefined ? last : byIndex.get(place);
    const isNew = before === undefined || startsAnother(before, said, draft.payloads);
    const call = earlier(said) ?? (isNew ? new Call(draft.nextBlock()) : before);
    if (place !== undefined) byIndex.set(place, call);
    return (last = call);
  };
  const identify = (call: Call, id: string | undefined): void => {
    call.id ??= id;
    if (call.id !== undefined && !byId.has(call.id)) byId.set(call.id, call);
  };
  return {
    read(delta, error = lossIn(asRecord(delta)["function"])) {
      if (!isRecord(delta)) {
        if (last !== undefined && lossIn(delta) !== undefined)
          draft.addCall(last.block, { error: lostPiece });
        return;
      }
      const called = asRecord(delta["function"]);
      const id = nonEmptyText(delta["id"]);
      const name = nonEmptyText(called["name"]);
      const sent = argumentsIn(called["arguments"]);

      const call = callAt(delta["index"] ?? undefined, { id, name, args: sent });
      const begins = !call.begun;
      call.begun = true;
      const createId = call.id === undefined ? id : undefined;
      // A name after the first arguments is a repetition, because it cannot grow any more.
      const isRepeated =
        name === call.name && (id === undefined ? call.id === undefined : createId === undefined);
      const newName = (call.hasArgs && call.name !== "") || isRepeated ? undefined : name;
      identify(call, id);
      if (newName !== undefined) {
        call.name += newName;
        call.namedIn = draft.payloads;
      }
      const args = argumentsFor(call, sent);
      const metadata = addFields(call, delta);
      const fields = { id: createId, name: newName, args, metadata, error };
      const says = begins || (createId ?? newName ?? args ?? metadata ?? error) !== undefined;
      if (says) draft.addCall(call.block, fields);
    },
    end() {
      for (const call of unnamed) if (call.held !== "") draft.addCall(call.block, { args: call.held });
      unnamed.clear();
    },
  };
}

/**
 * Whether the delta has a different id or, from servers without ids, a different name after arguments. Also a call that
 * is whole with the id of one that is complete, and, without ids:
 *
 * - a second name in one payload, because servers split a name only across payloads
 * - a name with an object after an object that is closed, because such servers send calls whole
 * - a different name with a whole object after a name alone, which was a call without arguments
 */
function startsAnother(call: Call, { id, name, args = "" }: Said, payload: number): boolean {
  if (id !== undefined && call.id !== undefined)
    return id !== call.id || (name !== undefined && isObjectText(args) && isComplete(call));
  if (id !== undefined || name === undefined) return false;
  if (call.id === undefined && call.namedIn === payload) return true;
  if (call.hasArgs && call.name === "") return false;
  if (call.hasArgs) return name !== call.name || (/^\s*\{/.test(args) && call.braces.closed());
  return call.id === undefined && name !== call.name && isObjectText(args);
}

export interface CallDeltas {
  /** @param error why no tool may run for the call */
  readonly read: (delta: unknown, error?: string) => void;
  /** Adds the arguments of calls that never got a name. */
  readonly end: () => void;
}

/** Without a piece, the arguments of a call may be others, and still valid. */
export const lostPiece = "The server sent a piece of the call that cannot be read.";

function lossIn(value: unknown): string | undefined {
  return isRecord(value) || given(value) === undefined ? undefined : lostPiece;
}

interface Said {
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly args: string | undefined;
}

class Call {
  readonly block: number;
  begun = false;
  id: string | undefined;
  name = "";
  /** The payload with the last part of the name. */
  namedIn: number | undefined;
  hasArgs = false;
  args = "";
  /** Arguments that came before the name. */
  held = "";
  readonly braces = new Braces();
  /** Fields that only the server knows, such as `extra_content`, which has Gemini's thought signature. */
  fields: Metadata = {};

  constructor(block: number) {
    this.block = block;
  }
}

/** An empty object may stand for arguments that follow. */
function isComplete({ args, braces }: Call): boolean {
  return args.length > 2 && braces.areObject();
}

/** Whether the text is all arguments of a complete call once more. */
function repeatsArgs({ args, braces }: Call, text: string): boolean {
  return text.length === args.length && text === args && braces.areObject();
}

/** Finds the end of an object in JSON text that arrives in pieces. The text is read only if the end matters. */
class Braces {
  private first = "";
  private unread = "";
  private depth = 0;
  private inString = false;

  add(text: string): void {
    if (this.first === "") this.first = text.trimStart().charAt(0);
    this.unread += text;
  }

  /** Whether the text begins with an object, and all of it is closed. */
  areObject(): boolean {
    return this.first === "{" && this.closed();
  }

  closed(): boolean {
    let token = "";
    for ([token] of this.unread.matchAll(/\\.?|["{}]/gs)) {
      if (token === '"') this.inString = !this.inString;
      else if (!this.inString) this.depth += depths[token] ?? 0;
    }
    // A backslash at the end escapes the next character.
    this.unread = token === "\\" ? token : "";
    return this.depth === 0 && !this.inString;
  }
}

const depths: Readonly<Record<string, number>> = { "{": 1, "}": -1 };

function isObjectText(text: string): boolean {
  const braces = new Braces();
  braces.add(text);
  return /^\s*\{.*\}\s*$/s.test(text) && braces.closed();
}

/** Adds the unknown fields of a delta. Returns metadata if there are any, so that they can be sent back. */
function addFields(call: Call, delta: Loose): Metadata | undefined {
  const added = plainFields(delta, knownFields);
  if (added === undefined) return undefined;
  call.fields = { ...call.fields, ...added };
  checkKeyCount(Object.keys(call.fields).length);
  return { tool_call: call.fields };
}

const knownFields = wordSet("id index type function");
