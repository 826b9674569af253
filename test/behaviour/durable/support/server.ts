/** `node server.js REDIS PORT`: serves the run. Prints its port. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Redis } from "ioredis";
import { redisLog } from "millrace/redis";
import { nodeHandler, toEventStream } from "millrace/serve";

const [path, port] = process.argv.slice(2) as [string, string];
const log = redisLog(new Redis({ path }));
const server = createServer(
  nodeHandler((request) =>
    toEventStream(undefined, { log, id: "run", lastEventId: request.headers.get("last-event-id") }),
  ),
);
server.listen(Number(port), "127.0.0.1", () => {
  console.log(`listening ${(server.address() as AddressInfo).port}`);
});
