import { isObject, type JsonArray, type JsonObject, type JsonValue } from "../../json/value.js";
import type { AssistantMessage } from "../../messages/message.js";
import type { Redactor } from "../../text/redactor.js";
import { wordSet } from "../../text/words-in.js";
import { cut } from "../../text/cut.js";
import { fieldOf, isInstance } from "../../text/thrown.js";
import { messageOf } from "../../text/excerpt.js";
import { ModelError, type ModelErrorDetails } from "../contract/errors.js";

/** A copy of the error without secrets: in its message, its fields, the partial message and the causes. */
export function redactedError(
  error: ModelError,
  { partial, requestId }: Pick<ModelErrorDetails, "partial" | "requestId">,
  redactor: Redactor,
): ModelError {
  const { cause, status, retryable, retryAfter, environmentVariable, schemaPointer, advice } = error;
  const text = (value: string | undefined): string | undefined => value && redactor.redact(value);
  return new ModelError(error.code, redactor.redact(error.message), {
    status,
    retryable,
    retryAfter,
    environmentVariable,
    schemaPointer,
    advice,
    requestId: text(requestId),
    providerCode: text(error.providerCode),
    excerpt: text(error.excerpt),
    partial: partial && redactedMessage(partial, redactor),
    cause: hasOnlyPublicParts(cause, redactor) ? cause : redactedCause(cause, redactor),
  });
}

/**
 * Replaces the texts of a message, and the keys in data of the server and the model. Our own names and words stay, even
 * if a secret contains one of them. Does not recurse, because the server decides how deep the data is.
 */
function redactedMessage(message: AssistantMessage, redactor: Redactor): AssistantMessage {
  if (redactor.empty) return message;
  const root: JsonArray = [message as unknown as JsonObject];
  const parts: RedactedPart[] = [{ copy: root, isData: false }];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    const { copy } = part;
    for (const [key, value] of Object.entries(copy)) {
      const isData = part.isData || dataFields.has(key);
      if (!isData && ownWords.has(key)) continue;
      const clean =
        typeof value === "string" ? redactor.redact(value) : copyOf(value, isData ? redactor : undefined);
      (copy as JsonObject)[key] = clean;
      if (typeof clean === "object" && clean !== null) parts.push({ copy: clean, isData });
    }
  }
  return root[0] as unknown as AssistantMessage;
}

interface RedactedPart {
  readonly copy: JsonArray | JsonObject;
  /** Whether the server or the model chose its keys. */
  readonly isData: boolean;
}

/** The fields of a message, a block or an annotation with data of the server or the model. */
const dataFields = wordSet("metadata args snapshot value output");

/** The fields whose values are words of ours. */
const ownWords = wordSet("role type finishReason status kind");

/** @param redactor of the keys. `undefined` if they are ours */
function copyOf(value: JsonValue, redactor: Redactor | undefined): JsonValue {
  if (Array.isArray(value)) return [...value];
  if (!isObject(value)) return value;
  if (redactor === undefined) return { ...value };
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [redactor.redact(key), member]));
}

/** An error with the name, the message and the code of a cause, and of its causes. */
function redactedCause(cause: unknown, redactor: Redactor, depth = 0): Error {
  const inner = depth < maxCauses ? fieldOf(cause, "cause") : undefined;
  const message = cut(redactor.redact(messageOf(cause)), maxMessage);
  const error = new Error(
    message,
    inner === undefined ? undefined : { cause: redactedCause(inner, redactor, depth + 1) },
  );
  const name = fieldOf(cause, "name");
  const code = fieldOf(cause, "code");
  if (typeof name === "string") error.name = cut(redactor.redact(name), maxMessage);
  return typeof code === "string"
    ? Object.assign(error, { code: cut(redactor.redact(code), maxMessage) })
    : error;
}

const maxCauses = 4;
const maxMessage = 1_000;

/**
 * Whether nothing that a logger may show of a value contains a secret: the errors of HTTP clients may contain the
 * request with its headers. `false` where that is not certain, such as for an object that decides itself how it is
 * shown.
 */
function hasOnlyPublicParts(value: unknown, redactor: Redactor): boolean {
  if (redactor.empty) return true;
  const seen = new Set<unknown>();
  const parts: unknown[] = [value];
  try {
    while (parts.length > 0) {
      const part = parts.pop();
      if (typeof part === "string" && redactor.redact(part) !== part) return false;
      if (typeof part === "function") return false;
      if (typeof part !== "object" || part === null || seen.has(part)) continue;
      if (seen.add(part).size > maxParts || !isPlain(part)) return false;
      const inside = partsOf(part);
      if (inside === undefined) return false;
      for (const it of inside) parts.push(it);
    }
    return true;
  } catch {
    return false;
  }
}

const maxParts = 10_000;

/** The keys and values in an object; `undefined` if it has a getter, which is not called: it may have side effects. */
function partsOf(object: object): unknown[] | undefined {
  const parts: unknown[] = [];
  if (isInstance(object, Error)) parts.push(object.message, object.stack);
  if (object instanceof Map || object instanceof Set)
    for (const entry of object.entries()) parts.push(...entry);
  for (const key of Reflect.ownKeys(object)) {
    const field = Reflect.getOwnPropertyDescriptor(object, key);
    if (field?.get !== undefined && key !== "stack") return undefined;
    parts.push(String(key), field?.value);
  }
  return parts;
}

/** Whether inspecting an object, or writing it as JSON, shows its fields and nothing else. */
function isPlain(object: object): boolean {
  if ("toJSON" in object || Symbol.for("nodejs.util.inspect.custom") in object) return false;
  if (isInstance(object, Error) || object instanceof Map || object instanceof Set || Array.isArray(object))
    return true;
  const prototype: unknown = Object.getPrototypeOf(object);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
