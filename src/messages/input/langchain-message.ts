import { isRecord, type Loose } from "../loose.js";

/** The fields of a message, and the place where they are. */
export interface PlacedInput {
  readonly input: Loose;
  readonly place: string;
}

/**
 * The fields inside a serialised message of LangChain: `{ lc: 1, id: […, "AIMessage"], kwargs }` of `JSON.stringify()`,
 * or `{ type, data }` of `mapChatMessagesToStoredMessages()`. Any other input is returned as it is.
 */
export function serialisedIn(input: Loose, place: string): PlacedInput {
  const { lc, id, kwargs, type, data } = input;
  if (lc === 1 && type === "constructor" && isRecord(kwargs) && Array.isArray(id))
    return { input: fieldsIn(kwargs, classType(id.at(-1))), place: `${place}.kwargs` };
  if (isRecord(data) && Object.keys(input).every((name) => name === "type" || name === "data"))
    return { input: fieldsIn(data, type), place: `${place}.data` };
  return { input, place };
}

/** A `ChatMessage` has a role of its own. */
function fieldsIn({ role, type: ownType, ...fields }: Loose, type: unknown): Loose {
  return { ...fields, type: role ?? ownType ?? type };
}

/** The `type` of messages of a class. */
function classType(name: unknown): unknown {
  const type = /^(AI|Human|System|Tool)Message(?:Chunk)?$/.exec(String(name))?.[1];
  return type?.toLowerCase() ?? name;
}
