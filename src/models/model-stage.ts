import type { MessageChunk } from "../messages/chunk.js";
import type { MessagesInput } from "../messages/to-messages.js";
import type { Operator } from "../stream/operator.js";
import { concatMap } from "../stream/operators/concat-map.js";
import { checkCallOptions, checkModel } from "./contract/check-call-options.js";
import type { AnyExtra, CallOptions, ChatModel } from "./contract/chat-model.js";

/**
 * A model as a stage: from prompts to the chunks of their answers. A prompt is sent when the answer before it has been
 * read. With `prompt.operator` before it and a parser after it, a pipeline is the chain of prompt, model and parser.
 *
 * The chunks of several prompts follow one another, so a parser after it reads them as one text. For a result for each
 * prompt, call the chain with `invoke()` or `batchInvoke()`.
 *
 * @param options the options of each call
 *
 * @throws {TypeError} for anything but a model, and for an unknown option
 *
 * @example
 * ```ts
 * import { compose, invoke, jsonParser, modelStream, promptTemplate } from "millrace";
 * import { scriptedModel } from "millrace/testing";
 *
 * const model = scriptedModel(['{"name": "Sencha"}']);
 * const chain = compose(promptTemplate("A recipe for {dish}").operator, modelStream(model), jsonParser().final);
 * console.log(await invoke(chain, { dish: "tea" })); // { name: "Sencha" }
 * ```
 */
export function modelStream<Extra = AnyExtra>(
  model: ChatModel<Extra>,
  options: CallOptions<Extra> = {},
): Operator<MessagesInput, MessageChunk> {
  checkModel("modelStream()", model);
  checkCallOptions("modelStream()", options as CallOptions);
  return concatMap((prompt) => model.stream(prompt, options));
}
