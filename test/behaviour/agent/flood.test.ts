import { expect, test } from "vitest";
import { collect, createAgent, tool } from "millrace";
import { answers, call, ofType } from "../../agent/support/script.js";

const flood = 100_000;

test("a large amount of progress arrives complete and in order, and that of emit() with its latest values", async () => {
  const pulled = tool({
    name: "pulled",
    async *run() {
      for (let n = 0; n < flood; n++) yield n;
    },
  });
  const pushed = tool({
    name: "pushed",
    run: (_, { emit }) => {
      for (let n = 0; n < flood; n++) emit(n);
    },
  });
  const calls = [...call("1", "pulled", '{"input":""}'), ...call("2", "pushed", '{"input":""}')];
  const agent = createAgent({ model: answers([calls, ["Done."]]), tools: [pulled, pushed] });
  const events = await collect(agent.stream("Flood me."));
  const progress = ofType(events, "tool_progress");
  const whole = progress.filter(({ name }) => name === "pulled");
  expect(whole).toHaveLength(flood);
  expect(whole.every(({ value }, n) => value === n)).toBe(true);
  const latest = progress.flatMap(({ name, value }) => (name === "pushed" ? [value] : []));
  expect(latest.slice(-1_000)).toEqual(Array.from({ length: 1_000 }, (_, n) => flood - 1_000 + n));
  expect(latest.length).toBeLessThan(1_100);
  expect(ofType(events, "tool_result")).toHaveLength(2);
  expect(events.at(-1)).toMatchObject({ type: "finish", reason: "answer" });
});
