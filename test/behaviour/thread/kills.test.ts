import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { createPatchStore } from "millrace/client";
import type { ThreadView } from "millrace/thread";
import { expect, test } from "vitest";
import { temporaryFolders } from "../../durable/support/folders.js";
import { bundledPrograms } from "../../support/bundled-programs.js";
import { randomOf } from "../../support/random.js";

const newFolder = temporaryFolders();
/** `MILLRACE_KILLS=100` proves it at more moments. */
const kills = Number(process.env["MILLRACE_KILLS"] ?? 15);

test(
  "a server that is killed with kill -9 at any moment loses no message",
  { timeout: 120_000 },
  async () => {
    const [program = ""] = bundledPrograms(join(import.meta.dirname, "support/chat-server.ts"));
    const folder = join(newFolder(), "threads");
    const random = randomOf(55);
    /** The messages whose response has begun, and all that were sent. */
    const accepted: string[] = [];
    const sent: string[] = [];
    const found = { answers: 0, cut: 0 };
    for (let kill = 0; kill < kills; kill++) {
      const child = spawn(process.execPath, [program, folder], { stdio: ["ignore", "pipe", "inherit"] });
      const [port] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
      const url = `http://127.0.0.1:${port}/?thread=1`;
      const post = async (body: object): Promise<Response> =>
        fetch(url, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        });
      const view = await conversation(url);
      const texts = view.messages.flatMap(({ role, text }) => (role === "user" ? text : []));
      // Each accepted message once, and no message that nobody has sent.
      expect(texts.filter((text) => accepted.includes(text))).toEqual(accepted);
      expect(new Set(texts).size).toBe(texts.length);
      for (const text of texts) expect(sent).toContain(text);
      if (view.status === "failed") found.cut++;
      if (view.messages.at(-1)?.text === "On it.") found.answers++;
      // The lease of the process that died.
      await setTimeout(40);
      const text = `message ${kill}`;
      const isResume = view.status === "failed" && random() < 0.5;
      if (!isResume) sent.push(text);
      let begin: () => void = () => {};
      const begun = new Promise<void>((resolve) => {
        begin = resolve;
      });
      const answer = post(isResume ? { type: "resume" } : { type: "send", text }).then(async (response) => {
        begin();
        expect(response.status).toBe(200);
        if (!isResume) accepted.push(text);
        await response.text();
      }, begin);
      // Some answers are complete before, and some have begun, however slow the machine is.
      const moment = random();
      await (moment < 0.4 ? answer : moment < 0.6 ? begun : setTimeout(random() * 60));
      const closed = once(child, "close");
      child.kill("SIGKILL");
      await answer.catch((error: unknown) => {
        if (!(error instanceof TypeError)) throw error;
      });
      await closed;
    }
    expect(accepted.length).toBeGreaterThan(kills / 5);
    expect(found.answers).toBeGreaterThan(0);
    expect(found.cut).toBeGreaterThan(0);
  },
);

async function conversation(url: string): Promise<ThreadView> {
  const store = createPatchStore<ThreadView>();
  await store.connect(await fetch(url));
  expect(store.error).toBeUndefined();
  await setTimeout(20); // a frame
  return store.getSnapshot() as ThreadView;
}
