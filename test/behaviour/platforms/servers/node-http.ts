import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { nodeHandler } from "millrace/serve";
import { handle } from "./handle.js";

const server = createServer(nodeHandler(handle));
server.listen(0, "127.0.0.1", () => {
  console.log(String((server.address() as AddressInfo).port));
});
