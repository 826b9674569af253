import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { handle } from "./handle.js";

const app = new Hono();
app.all("*", ({ req }) => handle(req.raw));
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => {
  console.log(String(port));
});
