import type { AddressInfo } from "node:net";
import express from "express";
import { nodeHandler } from "millrace/serve";
import { handle } from "./handle.js";

const app = express();
app.use(nodeHandler(handle));
const server = app.listen(0, "127.0.0.1", () => {
  console.log(String((server.address() as AddressInfo).port));
});
