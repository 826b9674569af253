import type { StructuredEvent } from "../agent/events.js";
import type { JsonCoercion } from "../json/coercion.js";
import type { JsonRepair } from "../json/repair.js";
import type { AssistantMessage } from "../messages/message.js";
import type { Usage } from "../messages/usage.js";
import { checkObjectOptions, type ObjectOf, type ObjectSchema } from "./stream-object.js";
import { streamObject, type StreamObjectOptions } from "./stream-object.js";

/** The result of `generateObject()`. */
export interface GeneratedObject<T> {
  /** The object, as its schema returns it. */
  readonly object: T;
  /** The tokens of all answers, if the model reports them. */
  readonly usage: Usage | undefined;
  /** The mistakes in the JSON of the last answer that were repaired. */
  readonly repairs: readonly JsonRepair[];
  /** The values of the last answer that were read as the schema expects them, such as `"7"` as 7. */
  readonly coercions: readonly JsonCoercion[];
  /** The last answer of the model. */
  readonly message: AssistantMessage;
}

/**
 * Asks a model for an object and waits for it. It is `streamObject()` read to its end: an answer that becomes invalid
 * is still stopped at once, and asked for again.
 *
 * Rejects with the errors of `streamObject()`.
 *
 * @example
 * ```ts
 * import { generateObject } from "millrace";
 * import { scriptedModel } from "millrace/testing";
 * import { z } from "zod";
 *
 * const { object, repairs } = await generateObject({
 *   model: scriptedModel(['{"name": "Ada", "born"', ": 1815,}"]), // or "openai:gpt-6.1-terra"
 *   schema: z.object({ name: z.string(), born: z.int() }),
 *   prompt: "A pioneer of computing.",
 * });
 * console.log(object.name, repairs[0]?.kind); // "Ada" "trailing_comma"
 * ```
 */
export async function generateObject<
  const Schema extends ObjectSchema,
  const Elements extends boolean = false,
>(options: StreamObjectOptions<Schema, Elements>): Promise<GeneratedObject<ObjectOf<Schema, Elements>>> {
  checkObjectOptions("generateObject()", options);
  const stream = streamObject(options);
  let changes: Pick<StructuredEvent, "repairs" | "coercions"> = {};
  let answer: AssistantMessage | undefined;
  for await (const event of stream.events) {
    if (event.type === "structured") changes = event;
    else if (event.type === "message" && event.message.role === "assistant") answer = event.message;
  }
  const [object, usage] = await Promise.all([stream.final, stream.usage]);
  const { repairs = [], coercions = [] } = changes;
  return { object, usage, repairs, coercions, message: answer as AssistantMessage };
}
