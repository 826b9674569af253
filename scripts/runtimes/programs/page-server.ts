/** Serves the page of `page.ts`, and a run for it. Prints its port. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { from, jsonParser, pipe } from "millrace";
import { toEventStream, toNodeResponse } from "millrace/serve";

const html = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>`;

const server = createServer((request, response) => {
  if (request.url === "/") {
    response.setHeader("content-type", "text/html").end(html);
  } else if (request.url === "/page.js") {
    response.setHeader("content-type", "text/javascript").end(readFileSync("page.js"));
  } else {
    const chunks = ['{"tea": "grün ', "☕", '", "steps": ["Warm the pot", "Po', 'ur"]}'];
    const patches = pipe(from(chunks), jsonParser(undefined, { append: true }).patches);
    void toNodeResponse(toEventStream(patches), response);
  }
});
server.listen(0, "127.0.0.1", () => {
  console.log((server.address() as AddressInfo).port);
});
