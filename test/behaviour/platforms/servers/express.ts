import type { AddressInfo } from "node:net";
import express from "express";
import { fromNodeRequest, toNodeResponse } from "millrace/serve";
import { handle } from "./handle.js";

const app = express();
app.use(async (request, response) => {
  await toNodeResponse(await handle(fromNodeRequest(request, response)), response);
});
const server = app.listen(0, "127.0.0.1", () => {
  console.log(String((server.address() as AddressInfo).port));
});
