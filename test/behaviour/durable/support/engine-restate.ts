/** `node engine-restate.js PLACE`: a run that waits for a decision, and one that is cancelled. Prints what they come to. */
import { setTimeout as sleep } from "node:timers/promises";
import { RestatePromise, TerminalError } from "@restatedev/restate-sdk";
import { createAgent, tool } from "millrace";
import { humanApproval } from "millrace/agent";
import { durable, DurableError, restateJournal } from "millrace/durable";
import { memoryLog } from "millrace/serve";
import { scriptedModel } from "millrace/testing";
import { serveRestate } from "./restate-service.js";

const log = memoryLog();
const paid: unknown[] = [];
const ids = new Map<string, string>();
/** The keys of the calls whose decision was asked for. */
const asked = new Set<unknown>();
const call = { type: "tool_call" as const, id: "1", name: "pay", args: { input: "100 €" } };
const agent = createAgent({
  model: scriptedModel(({ messages }) => (messages.length === 1 ? [{ content: [call] }] : ["Thanks."])),
  tools: [tool({ name: "pay", run: (what) => `paid ${paid.push(what)}` })],
  middleware: [humanApproval({ decide: (_, { idempotencyKey }) => void asked.add(idempotencyKey) })],
});

const service = await serveRestate(process.argv[2] ?? "", async (context, input: string) => {
  const [what = "", id = ""] = input.split(" ");
  const request = context.request();
  if (what === "decide") {
    context.invocation(id).signal("tool 1 1 pay decision").resolve({ type: "approve" });
    return undefined;
  }
  ids.set(what, request.id);
  try {
    const journal = restateJournal(context, RestatePromise);
    const options = { signal: request.attemptCompletedSignal };
    const { state } = await durable(agent, { journal, log, id: what }).invoke("Pay.", options);
    return [state.status, paid];
  } catch (error) {
    if (error instanceof DurableError && error.code === "stopped") throw new TerminalError(error.code);
    throw error;
  }
});

/** The invocation of a run, when it waits for its decision. */
async function waiting(name: string): Promise<string> {
  while (!asked.has(`${name} tool 1 1 pay`)) await sleep(10);
  await sleep(100);
  return ids.get(name)!;
}

const decided = service.call("approved", "approved");
const id = await waiting("approved");
service.cut(); // a second attempt waits for the decision
await service.call("decision", `decide ${id}`);
console.log(`approved ${JSON.stringify(await decided)}`);

const running = service.call("cancelled", "cancelled").catch((error: unknown) => String(error));
await service.cancel(await waiting("cancelled"));
console.log(`answer ${String(await running)}`);
for await (const entry of log.read("cancelled", "0")) {
  if (entry.type !== "patch") console.log(`end ${JSON.stringify(entry)}`);
}
process.exit();
