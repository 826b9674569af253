/** A service of Restate with a run, which the server calls again when the process has died. */
import { RestatePromise } from "@restatedev/restate-sdk";
import { restateJournal } from "millrace/durable";
import { attempt, finish, place } from "./attempt.js";
import type { Errand } from "./errand.js";
import { serveRestate } from "./restate-service.js";

const service = await serveRestate(place, (context) =>
  attempt(restateJournal(context, RestatePromise), context.request().attemptCompletedSignal),
);
await finish((await service.call("run")) as Errand);
process.exit();
