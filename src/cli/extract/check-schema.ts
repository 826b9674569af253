import { ModelError } from "../../models/contract/errors.js";
import { initModel } from "../../models/init-model.js";
import { generateObject } from "../../object/generate-object.js";
import { isInstance } from "../../text/thrown.js";
import { UsageError } from "../terminal/usage-error.js";
import type { TaskCall } from "./tasks/task.js";

/**
 * Makes the request for a document, and sends nothing.
 *
 * @throws {UsageError} if the provider cannot express the schema
 */
export async function checkSchema({
  model: name,
  schema,
}: Pick<TaskCall, "model" | "schema">): Promise<void> {
  const fetch = (): Promise<never> => Promise.reject(new Error("Nothing is sent."));
  const model = await initModel(name, { apiKey: "none", fetch, maxRetries: 0 });
  try {
    await generateObject({ model, schema, prompt: "A document" });
  } catch (error) {
    if (!isInstance(error, ModelError) || error.schemaPointer === undefined) return;
    throw new UsageError(`--schema: ${error.message}`, { cause: error });
  }
}
