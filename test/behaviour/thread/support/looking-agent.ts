import { setTimeout } from "node:timers/promises";
import { type Agent, createAgent, tool } from "millrace";
import { scriptedModel, type ScriptItem } from "millrace/testing";

/** An agent whose answers take some milliseconds: a call of a tool, and "On it." */
export function lookingAgent(): Agent {
  const model = scriptedModel(async function* ({ messages }): AsyncGenerator<ScriptItem> {
    await setTimeout(2);
    yield "On ";
    if (messages.at(-1)?.role === "user") {
      yield {
        content: [{ type: "tool_call", id: `call_${messages.length}`, name: "look", args: { input: "" } }],
      };
      return;
    }
    await setTimeout(2);
    yield "it.";
  });
  return createAgent({ model, tools: [tool({ name: "look", run: () => setTimeout(3, "seen") })] });
}
