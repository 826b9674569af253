import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fromNodeRequest, toNodeResponse } from "millrace/serve";
import { handle } from "./handle.js";

const server = createServer((request, response) => {
  void (async () => toNodeResponse(await handle(fromNodeRequest(request, response)), response))();
});
server.listen(0, "127.0.0.1", () => {
  console.log(String((server.address() as AddressInfo).port));
});
