import { type Agent, createAgent, type JsonValue, type MessageChunk, tool } from "millrace";
import type { Middleware } from "millrace/agent";
import { scriptedModel, type ScriptedModel } from "millrace/testing";
import { z } from "zod";

/** A promise that never settles, as everything that a dead process waits for. */
export function hang(): Promise<never> {
  return new Promise(() => {
    // pending for ever
  });
}

/** What happened outside of a run: model calls begun, and rows written, with their idempotency keys. */
export interface World {
  readonly rows: { readonly what: string; readonly key: string | undefined }[];
  readonly model: ScriptedModel;
  /** Called at each moment at which a process may die. */
  moment(name: string): Promise<void> | void;
}

interface Plan {
  readonly plan: string;
  readonly total: number;
}

const format = z.object({ plan: z.string(), total: z.number() }).meta({ title: "Plan" });

export function newWorld(moment: World["moment"] = () => undefined): World {
  return {
    rows: [],
    moment,
    model: scriptedModel((call) =>
      script(call.messages.filter(({ role }) => role !== "system").length, moment),
    ),
  };
}

/** Two model steps with tools, then the response, cut into small pieces. */
async function* script(messages: number, moment: World["moment"]): AsyncGenerator<MessageChunk> {
  const step = messages === 1 ? 1 : messages === 4 ? 2 : 3;
  await moment(`model ${step} begins`);
  if (step < 3) {
    for (const name of step === 1 ? ["look", "book"] : ["pay"]) {
      const head = {
        type: "tool_call_chunk",
        index: name === "book" ? 1 : 0,
        id: `${name}-1`,
        name,
      } as const;
      yield { content: [{ ...head, args: '{"inp' }] };
      await moment(`model ${step} calls ${name}`);
      yield { content: [{ type: "tool_call_chunk", index: head.index, args: `ut": "${name}"}` }] };
    }
  } else {
    for (const text of ['{"plan": "Take ', "the tr", 'ain", ', '"total": ', "12", "0}"]) {
      yield { content: [{ type: "text", text }] };
      await moment("model 3 writes");
    }
  }
  await moment(`model ${step} ends`);
}

/** An agent that writes rows: `book` and `pay` change something, `look` only reads. */
export function tripAgent(
  world: World,
  middleware: readonly Middleware[] = [],
  system = "Plan a trip.",
): Agent<Plan> {
  const writes = (name: string) =>
    tool({
      name,
      description: `Can ${name}.`,
      async *run(what: string, { idempotencyKey }) {
        yield "working";
        await world.moment(`${name} begins`);
        world.rows.push({ what, key: idempotencyKey });
        await world.moment(`${name} ends`);
        return { done: what };
      },
    });
  const look = tool({
    name: "look",
    repeatable: true,
    run: async (what: string, { idempotencyKey }) => {
      await world.moment("look begins");
      world.rows.push({ what, key: idempotencyKey });
      return `saw ${what}`;
    },
  });
  return createAgent({
    model: world.model,
    tools: [writes("book"), look, writes("pay")],
    responseFormat: format,
    system,
    append: true,
    middleware,
  });
}

export const plan: JsonValue = { plan: "Take the train", total: 120 };
