/** A client by @ag-ui/client: each text of the command line is a message in one conversation. */
import { parseArgs } from "node:util";
import { HttpAgent } from "@ag-ui/client";
import type { DeepPartial } from "millrace/json";
import type { ShoppingList } from "./shopping-list.js";

const { values, positionals } = parseArgs({
  options: { url: { type: "string", default: "http://127.0.0.1:8001/" } },
  allowPositionals: true,
});

const agent = new HttpAgent({ url: values.url });
try {
  for (const [index, content] of (positionals.length > 0
    ? positionals
    : ["flour, butter and eggs"]
  ).entries()) {
    console.log(`\nyou: ${content}`);
    agent.addMessage({ id: String(index), role: "user", content });
    await agent.runAgent({}, watcher());
  }
} catch (error) {
  console.error(`The run failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

/** Prints what comes, as it comes. */
function watcher(): NonNullable<Parameters<HttpAgent["runAgent"]>[1]> {
  return {
    onTextMessageEndEvent: ({ textMessageBuffer }) => {
      console.log(`agent: ${textMessageBuffer}`);
    },
    onToolCallEndEvent: ({ toolCallName, toolCallArgs }) => {
      console.log(`call: ${toolCallName}(${JSON.stringify(toolCallArgs)})`);
    },
    onToolCallResultEvent: ({ event }) => {
      console.log(
        `result: ${typeof event.content === "string" ? event.content : JSON.stringify(event.content)}`,
      );
    },
    // The state is the structured response while it is written: snapshots and deltas, applied by the client.
    onStateChanged: ({ state }) => {
      const { items = [] } = state as DeepPartial<ShoppingList>;
      const lines = items.map((item) => {
        const aisle = item?.aisle === undefined ? "…" : (item.aisle ?? "not in this shop");
        return `${item?.name ?? "…"} (${aisle})`;
      });
      console.log(`state: ${lines.join(", ")}`);
    },
    onRunFinishedEvent: () => {
      console.log("done");
    },
  };
}
