import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { nodeHandler } from "millrace/serve";
import { fileThreads, threadHandler } from "millrace/thread";
import { lookingAgent } from "./looking-agent.js";

/** A chat that is killed: `node chat-server.mjs FOLDER`. It prints its port. */

const [, , folder = ""] = process.argv;
const chat = threadHandler({
  agent: lookingAgent(),
  store: fileThreads(folder),
  lease: 30,
});
const server = createServer(nodeHandler(chat)).listen(0, "127.0.0.1", () => {
  console.log((server.address() as AddressInfo).port);
});
