/** A server for a run in Redis: `redis-site.mjs SOCKET DOCUMENT PORT`. */
import { readFileSync } from "node:fs";
import { Redis } from "ioredis";
import { redisLog } from "millrace/redis";
import { fromNodeRequest, toEventStream, toNodeResponse } from "millrace/serve";
import { siteOf } from "../support/site.js";

const [path, document, port] = process.argv.slice(2) as [string, string, string];
const log = redisLog(new Redis({ path }));
const { url } = await siteOf(
  readFileSync(document, "utf8"),
  (incoming, outgoing) => {
    const request = fromNodeRequest(incoming, outgoing);
    const lastEventId = request.headers.get("last-event-id");
    return toNodeResponse(toEventStream(undefined, { log, id: "run", lastEventId }), outgoing);
  },
  Number(port),
);
console.log(new URL(url).port);
