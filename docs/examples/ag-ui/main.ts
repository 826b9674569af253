/** An agent behind AG-UI, on `node:http`: any client of that protocol can talk to it. client.ts is a small one. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parseArgs } from "node:util";
import { createAgent } from "millrace";
import { toolStrategy } from "millrace/agent";
import { openai } from "millrace/openai";
import { agUiHandler, nodeHandler } from "millrace/serve";
import { connect, modelOptions } from "../support/connect.js";
import { aisles } from "./aisles.js";
import { shoppingList } from "./shopping-list.js";
import { standIn } from "./stand-in.js";

const { values } = parseArgs({ options: { ...modelOptions, port: { type: "string", default: "8001" } } });
const { endpoint, title } = await connect(values, standIn);

const agent = createAgent({
  model: openai(endpoint),
  tools: [aisles],
  // With the tool strategy the list is a call, and what the model says besides is text for the chat.
  responseFormat: toolStrategy(shoppingList),
  system:
    "You keep a shopping list. Look up the aisles of all items at once, then give the whole list, " +
    "also what was on it before.",
});

const handle = agUiHandler(agent, {
  maxBody: 100_000, // the client sends the whole conversation each time
  onError: (error) => {
    console.error(error);
    return undefined; // so the client is told that the run failed, and no more
  },
});

const server = createServer(nodeHandler(handle));
server.listen(Number(values.port), "127.0.0.1", () => {
  console.log(`AG-UI at http://127.0.0.1:${(server.address() as AddressInfo).port}/, answered by ${title}`);
});
