/** A thread of `bench regimes`: reads its documents once for each message, and answers when it has. */
import { parentPort, workerData } from "node:worker_threads";
import { type Reader, threadWork } from "./regimes/programs.js";

const read = await threadWork(workerData as Reader);
parentPort?.on("message", () => void read().then(() => parentPort?.postMessage("read")));
parentPort?.postMessage("ready");
