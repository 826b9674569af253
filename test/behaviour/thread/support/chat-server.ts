import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { createAgent, tool } from "millrace";
import { nodeHandler } from "millrace/serve";
import { scriptedModel, type ScriptItem } from "millrace/testing";
import { fileThreads, threadHandler } from "millrace/thread";

/** A chat that is killed: `node chat-server.mjs FOLDER`. It prints its port. */

const [, , folder = ""] = process.argv;
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
const look = tool({ name: "look", run: () => setTimeout(3, "seen") });
const chat = threadHandler({
  agent: createAgent({ model, tools: [look] }),
  store: fileThreads(folder),
  lease: 30,
});
const server = createServer(nodeHandler(chat)).listen(0, "127.0.0.1", () => {
  console.log((server.address() as AddressInfo).port);
});
