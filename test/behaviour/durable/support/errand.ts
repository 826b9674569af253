import { appendFileSync, readFileSync } from "node:fs";
import { type Agent, createAgent, type MessageChunk, tool } from "millrace";
import { ToolError, toolRetry } from "millrace/agent";
import { scriptedModel } from "millrace/testing";
import { z } from "zod";

/** Called at each moment at which a process may die. */
export type Moment = (name: string) => Promise<void>;

/** The response of the agent. */
export interface Errand {
  readonly title: string;
  readonly stops: readonly string[];
  readonly cost: number;
}

const response: Errand = { title: "Eleven errands", stops: ["bank", "market", "baker"], cost: 73.5 };
const schema = z
  .object({ title: z.string(), stops: z.array(z.string()), cost: z.number() })
  .meta({ title: "Errand" });
const last = 12;

/** The calls of a model step. Some are made at the same time, one of them always fails. */
function callsOf(step: number): readonly string[] {
  if (step === 4) return ["look", "write", "write"];
  if (step === 7) return ["fail", "write"];
  if (step === 10) return ["flaky"];
  return [step % 3 === 0 ? "look" : "write"];
}

/**
 * An agent of twelve model steps with tools that write rows into a file: the idempotency key and what was written. One
 * tool is tried again after a wait. A model that is asked again writes other arguments, as real ones do.
 */
export function errandAgent(rows: string, moment: Moment): Agent<Errand> {
  const write = (what: string, key: string | undefined): void => {
    appendFileSync(rows, `${JSON.stringify([key, what])}\n`);
  };
  const count = (key: string | undefined): number =>
    readFileSync(rows, "utf8")
      .split("\n")
      .filter((row) => row.startsWith(JSON.stringify([key]).slice(0, -1))).length;
  const change = (name: string) =>
    tool({
      name,
      run: async (what: string, { idempotencyKey, toolCallId }) => {
        await moment(`${toolCallId} begins`);
        write(what, idempotencyKey);
        await moment(`${toolCallId} has written`);
        // Fails when it has run once, whether or not anybody knows.
        if (name === "flaky" && count(idempotencyKey) === 1) throw new Error("The shop is busy.");
        if (name === "fail") throw new ToolError("failed", "The shop is closed.");
        return { wrote: toolCallId };
      },
    });
  const look = tool({
    name: "look",
    repeatable: true,
    run: async (_, { toolCallId }) => {
      await moment(`${toolCallId} looks`);
      return `saw ${toolCallId}`;
    },
  });
  const model = scriptedModel(({ messages }) => {
    const step = messages.filter(({ role }) => role === "assistant").length + 1;
    return step < last ? asks(step, moment) : answers(moment);
  });
  const agent = createAgent({
    model,
    tools: [change("write"), change("fail"), change("flaky"), look],
    responseFormat: schema,
    system: "Run the errands.",
    append: true,
    middleware: [toolRetry()],
  });
  return agent;
}

async function* asks(step: number, moment: Moment): AsyncGenerator<MessageChunk> {
  await moment(`model ${step} is asked`);
  yield { content: [{ type: "text", text: `Step ${step}. ` }] };
  for (const [index, name] of callsOf(step).entries()) {
    const id = `call_${step}_${index}`;
    yield { content: [{ type: "tool_call_chunk", index, id, name, args: '{"input": "' }] };
    await moment(`model ${step} calls ${id}`);
    yield { content: [{ type: "tool_call_chunk", index, args: `${Math.random()}"}` }] };
  }
  await moment(`model ${step} has ended`);
}

async function* answers(moment: Moment): AsyncGenerator<MessageChunk> {
  const text = JSON.stringify(response);
  await moment(`model ${last} is asked`);
  for (let at = 0; at < text.length; at += 9) {
    yield { content: [{ type: "text", text: text.slice(at, at + 9) }] };
    await moment(`model ${last} has written ${at}`);
  }
}
