import type { MessageChunk } from "../../messages/chunk.js";
import { hasFields } from "../../messages/merge/merge-fields.js";
import { MessageBuilder } from "../../messages/merge/message-builder.js";
import { callIds } from "../../messages/open-calls.js";
import type { ModelCall } from "../middleware/middleware.js";
import type { StreamObserver } from "../middleware/observe.js";
import type { OpenTelemetryAttributes, OpenTelemetryContext } from "./api.js";
import { inputContent, outputContent, boundedName, usageAttributes } from "./attributes.js";
import { type TelemetryKit, spanKinds, Operation } from "./operation.js";
import { withoutUndefined } from "../../json/value.js";

/** The span of a model call: `chat`. */
export function modelTrace(
  kit: TelemetryKit,
  call: ModelCall,
  parent: OpenTelemetryContext,
): StreamObserver<MessageChunk> {
  const { captureContent, instruments } = kit;
  const { provider, model: requested } = call.model;
  const dimensions = {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": providerNames.get(provider) ?? provider,
    "gen_ai.request.model": requested,
  };
  const builder = new MessageBuilder({}, new Set(callIds(call.messages)));
  const operation = new Operation(kit, {
    name: `chat ${requested}`,
    kind: spanKinds.client,
    attributes: { ...dimensions, ...requestAttributes(call), ...(captureContent && inputContent(call)) },
    parent,
    duration: instruments.modelDuration,
    dimensions,
  });
  return {
    within: operation.within,
    onItem(chunk) {
      operation.mark(instruments.firstChunk, "gen_ai.response.time_to_first_chunk");
      try {
        if (captureContent) builder.add(chunk);
        else if (hasFields(chunk)) builder.add({ ...chunk, content: [] });
      } catch {
        // The agent reports a bad chunk itself.
      }
    },
    onEnd(ending) {
      if (ending === "done") builder.end();
      const message = builder.snapshot();
      const { id, finishReason, usage } = message;
      const model = boundedName(message.model);
      operation.set({
        ...withoutUndefined({
          "gen_ai.response.id": boundedName(id),
          "gen_ai.response.model": model,
          "gen_ai.response.finish_reasons": finishReason && [finishReason],
        }),
        ...(usage && usageAttributes(usage)),
        ...(captureContent && outputContent(message)),
      });
      operation.addDimensions(withoutUndefined({ "gen_ai.response.model": model }));
      const count = (type: string, tokens: number | undefined): void => {
        if (tokens !== undefined)
          operation.measure(instruments.tokens, tokens, { "gen_ai.token.type": type });
      };
      count("input", usage?.inputTokens);
      count("output", usage?.outputTokens);
      operation.end(ending, call.run.signal);
    },
  };
}

/** Providers with another name in the conventions. */
const providerNames: ReadonlyMap<string, string> = new Map([["gemini", "gcp.gemini"]]);

function requestAttributes({ options, responseFormat, step, run }: ModelCall): OpenTelemetryAttributes {
  const { temperature, topP, maxTokens, seed, stop } = options;
  return withoutUndefined({
    "gen_ai.request.stream": true,
    "gen_ai.request.temperature": temperature,
    "gen_ai.request.top_p": topP,
    "gen_ai.request.max_tokens": maxTokens,
    "gen_ai.request.seed": seed,
    "gen_ai.request.stop_sequences": stop === undefined ? undefined : [stop].flat(),
    "gen_ai.output.type": responseFormat === undefined ? undefined : "json",
    "gen_ai.agent.name": run.agent,
    "millrace.step": step,
  });
}
