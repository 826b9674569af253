import { memoryLog } from "millrace/serve";
import { manualClock } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { complete, document, filled, readAll, streamLogContract } from "../support/stream-log-contract.js";

describe("memoryLog()", () => {
  streamLogContract(memoryLog);

  test("keeps a run for the ttl after its end, and then rejects readers with unknown_run", async () => {
    const clock = manualClock();
    const log = memoryLog({ ttl: 100, clock });
    const writer = await filled(log, "run");
    clock.advance(1_000);
    await writer.end(complete);
    clock.advance(99);
    expect((await readAll(log.read("run"))).value).toEqual(document);
    clock.advance(1);
    await expect(readAll(log.read("run"))).rejects.toMatchObject({ code: "unknown_run" });
    await log.create("run");
  });

  test("keeps a stopped run for the ttl after its next writer knows", async () => {
    const clock = manualClock();
    const log = memoryLog({ ttl: 100, clock });
    (await log.takeOver("run")).leave?.();
    await log.stop("run");
    clock.advance(1_000);
    await log.takeOver("run");
    clock.advance(99);
    expect(await log.status("run")).toBe("stopped");
    clock.advance(1);
    expect(await log.status("run")).toBe("unknown");
  });

  test("shows a patch that does not fit to no reader", async () => {
    const log = memoryLog();
    const writer = await log.create("run");
    await writer.append([{ op: "replace", path: "", value: { list: [], text: "a" } }]);
    await writer.append([{ op: "copy", from: "/text", path: "/list/-" }]);
    await writer.append([
      { op: "add", path: "/list/-", value: "b" },
      { op: "add", path: "/list/3", value: "c" },
    ]);
    for (let reader = 0; reader < 3; reader++)
      await expect(readAll(log.read("run"))).rejects.toMatchObject({ name: "JsonPatchError" });
  });

  test("evicts the run that ended first", async () => {
    const log = memoryLog({ maxRuns: 2 });
    const [a, b] = [await log.create("a"), await log.create("b")];
    await b.end(complete);
    await a.end(complete);
    await log.create("c");
    expect((await readAll(log.read("a"))).end).toEqual(complete);
    await expect(readAll(log.read("b"))).rejects.toMatchObject({ code: "unknown_run" });
  });
});
