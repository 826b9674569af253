import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeResponse } from "millrace/serve";
import { fromNodeRequest } from "#src/serve/request-from-node.js";
import { handle } from "./handle.js";

const server = createServer((request, response) => {
  void (async () => toNodeResponse(await handle(fromNodeRequest(request, response)), response))();
});
server.listen(0, "127.0.0.1", () => {
  console.log((server.address() as AddressInfo).port);
});
