/**
 * Opens twenty streams, drops them, and prints how many of their queues and inlets are left. In a process of its own,
 * because `queryObjects()` walks the whole heap.
 */
import { setImmediate } from "node:timers/promises";
import { queryObjects } from "node:v8";
import { Inlet } from "#src/stream/core/inlet.js";
import { Queue } from "#src/stream/core/queue.js";
import { conflate } from "#src/stream/operators/conflate.js";
import { map } from "#src/stream/operators/map.js";
import { pipe } from "#src/stream/pipe.js";
import { from } from "#src/stream/sources/from.js";

for (let i = 0; i < 20; i++)
  await pipe(
    from([i]),
    map((item) => `${item}`),
    conflate(),
  )
    [Symbol.asyncIterator]()
    .next();
await setImmediate();
const left = [Queue, Inlet].map((kind) => queryObjects(kind, { format: "count" }));
console.log(JSON.stringify(left));
