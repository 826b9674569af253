/**
 * A producer in its own process: `producer SOCKET PREFIX LEASE PATCHES`. Writes the first half of
 * the patches, prints `half`, waits for a line, writes the rest, and prints the result: `complete`, or the reason to
 * stop.
 */
import { once } from "node:events";
import { Redis } from "ioredis";
import type { JsonPatch } from "millrace";
import { redisLog } from "millrace/redis";

const [path, prefix, lease, json] = process.argv.slice(2) as [string, string, string, string];
const patches = JSON.parse(json) as JsonPatch[];
const client = new Redis({ path });
const log = redisLog(client, { prefix, lease: Number(lease) });

const writer = await log.create("run");
const half = patches.length / 2;
for (const patch of patches.slice(0, half)) await writer.append(patch);
console.log("half");
await Promise.race([once(process.stdin, "data"), once(writer.signal, "abort")]);
for (const patch of patches.slice(half)) await writer.append(patch);
await writer.end({ type: "done", reason: "complete" });
console.log(writer.signal.aborted ? "stopped" : "complete");
await log.close();
client.disconnect();
process.stdin.destroy();
