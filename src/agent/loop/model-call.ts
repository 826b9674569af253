import { system as systemMessage } from "../../messages/constructors.js";
import type { MessageChunk } from "../../messages/chunk.js";
import type { AnswerRequest } from "../answer/request.js";
import { streamForcedCall } from "./forced-call.js";
import type { ModelCall } from "../middleware/middleware.js";
import type * as textCalls from "./text-calls.js";

/** Calls the model and asks for the structured response as the request says. */
export function callModel(
  call: ModelCall,
  { plan, callOptions }: AnswerRequest,
): AsyncIterable<MessageChunk> {
  const { model, system, messages, options, run } = call;
  const instructions = plan?.instructions === undefined ? [] : [systemMessage(plan.instructions)];
  const input = [...(system === undefined ? [] : [system]), ...instructions, ...messages];
  const { toolChoice, ...asked } = callOptions;
  const sent = { ...options, signal: run.signal, ...asked };
  // A call may choose another tool.
  const isForced = toolChoice !== undefined && !Object.hasOwn(options, "toolChoice");
  const { textToolCalls } = model.profile;
  if (textToolCalls !== undefined)
    return streamTextCalls(model, input, isForced ? { ...sent, toolChoice } : sent, textToolCalls);
  return isForced ? streamForcedCall(model, input, sent) : model.stream(input, sent);
}

/** Loads the dialects only for an agent that uses them: they have a tenth of the code of an agent. */
async function* streamTextCalls(
  ...call: Parameters<typeof textCalls.streamTextCalls>
): AsyncGenerator<MessageChunk, void, undefined> {
  const dialects = await import("./text-calls.js");
  yield* dialects.streamTextCalls(...call);
}
