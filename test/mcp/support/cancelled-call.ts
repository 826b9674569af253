import { tool } from "millrace";
import type { AnyTool } from "millrace/agent";
import { expect } from "vitest";
import { eventsOf, forever } from "../../tools/support.js";

/** Expects that a server learns when a call is cancelled. `offer` serves a tool, and returns it as the client sees it. */
export async function expectCancelled(offer: (it: AnyTool) => Promise<AnyTool>): Promise<void> {
  let signal: AbortSignal | undefined;
  const it = tool({
    name: "it",
    run: (_input, runtime) => {
      ({ signal } = runtime);
      return forever();
    },
  });
  const controller = new AbortController();
  const run = eventsOf(await offer(it), { input: "" }, { signal: controller.signal });
  await expect.poll(() => signal?.aborted).toBe(false);
  controller.abort(new Error("bye"));
  await expect(run).rejects.toThrow("bye");
  await expect.poll(() => signal?.aborted).toBe(true);
}
