import type { MessageChunk } from "../messages/chunk.js";
import type { MessagesInput } from "../messages/to-messages.js";
import { Inlet } from "../stream/core/inlet.js";
import { type Ending, ending, outlet, wait } from "../stream/core/outlet.js";
import { none } from "../stream/core/ready.js";
import type { Operator } from "../stream/operator.js";
import { checkCallOptions } from "./contract/check-call-options.js";
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
 * @throws {TypeError} for an unknown option
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
  checkCallOptions("modelStream()", options as CallOptions);
  return (prompts) =>
    outlet((wake) => {
      let chunk: MessageChunk | typeof none = none;
      let answer: Inlet<MessageChunk> | undefined;
      let ended: Ending | undefined;
      const end = (failure: Ending["failure"]): void => {
        ended = { failure };
        wake();
      };
      const onChunk = (next: MessageChunk): void => {
        chunk = next;
        wake();
      };
      const onAnswerEnd = (failure: Ending["failure"]): void => {
        answer = undefined;
        if (failure === undefined) wake();
        else end(failure);
      };
      const asked = new Inlet<MessagesInput>(
        prompts,
        (prompt) => {
          answer = new Inlet<MessageChunk>(model.stream(prompt, options), onChunk, onAnswerEnd);
          wake();
        },
        end,
      );
      return {
        poll() {
          const arrived = chunk;
          chunk = none;
          if (arrived !== none) return arrived;
          if (ended !== undefined) return ending(ended);
          (answer ?? asked).pull();
          return wait;
        },
        async close() {
          await Promise.all([answer?.close(), asked.close()]);
        },
      };
    });
}
