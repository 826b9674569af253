import { HttpAgent } from "@ag-ui/client";
import { expect } from "vitest";
import { type Start, test } from "./support/program.js";

test("the client shows the list while it arrives, over two runs of one conversation", async ({ start }) => {
  const url = await serving(start);
  const client = await start("ag-ui/client.ts", ["--url", url, "flour, butter and two lemons", "cat food"]);
  expect(await client.ended).toBe(0);
  const { all } = client.stdout;
  const first = all.slice(all.indexOf("you: flour, butter and two lemons"), all.indexOf("you: cat food"));
  expect(first.slice(1, 4)).toEqual([
    "agent: Let me see where that is.",
    'call: aisles({"items":["flour","butter","two lemons"]})',
    'result: {"flour":1,"butter":2,"two lemons":3}',
  ]);
  expect(first).toContain("state: flour (…)");
  expect(first).toContain("state: flour (1)");
  const states = all.filter((line) => line.startsWith("state: "));
  expect(states).toContain("state: flour (1), butter (2), two lemons (3)");
  expect(states.at(-1)).toBe("state: flour (1), butter (2), two lemons (3), cat food (not in this shop)");
  expect(all.filter((line) => line === "done")).toHaveLength(2);
});

test("the server works with any AG-UI client; its state is the structured response", async ({ start }) => {
  const agent = new HttpAgent({ url: await serving(start) });
  agent.addMessage({ id: "1", role: "user", content: "salt, milk" });
  const ran: { readonly result: unknown } = await agent.runAgent();
  const list = {
    items: [
      { name: "salt", aisle: 1 },
      { name: "milk", aisle: 2 },
    ],
  };
  expect(ran.result).toEqual(list);
  expect(agent.state).toEqual(list);
});

test("the client reports that the server cannot be reached", async ({ start }) => {
  const client = await start("ag-ui/client.ts", ["--url", "http://127.0.0.1:9/"]); // the discard port is closed
  expect(await client.ended).toBe(1);
  expect(client.stderr.all.at(-1)).toMatch(/^The run failed: /);
});

/** Starts the server, and returns its address. */
async function serving(start: Start): Promise<string> {
  const { stdout } = await start("ag-ui/main.ts", ["--port", "0"]);
  const line = await stdout.like(/^AG-UI at /);
  return /http:\S+(?=,)/.exec(line)?.[0] ?? "";
}
