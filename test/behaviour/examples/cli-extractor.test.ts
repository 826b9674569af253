import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, type TestContext } from "vitest";
import { events, eventStream, piece, serve } from "../../../scripts/model-server.js";
import { test } from "./support/program.js";

const program = "cli-extractor/main.ts";

describe.concurrent("the extractor", () => {
  test("extracts the orders of its letters, and lists unreadable letters", async ({ expect, start }) => {
    const { stdout, stderr, ended } = await start(program);
    expect(await ended).toBe(1);
    // The letters as a person reads them: which lines are orders, and the name of the customer.
    const folder = join(import.meta.dirname, "../../../docs/examples/cli-extractor/letters");
    const expected: string[] = [];
    for (const file of (await readdir(folder)).sort()) {
      if (file === "06-novak.txt") continue; // a line without a quantity is not an order
      const letter = await readFile(join(folder, file), "utf8");
      for (const [, bags, product, kilos] of letter.matchAll(/^- (\d+) x ([^,]+), (\S+) kg$/gm)) {
        const order = { customer: letter.trim().split("\n").at(-1), product, bags: Number(bags) };
        expected.push(JSON.stringify({ file, ...order, kilos: Number(kilos) }));
      }
    }
    expect(expected).toHaveLength(14);
    expect(stdout.all.toSorted()).toEqual(expected.toSorted());
    const messages = stderr.all.join("\n");
    expect(messages).toMatch(/^03-lindqvist\.txt: failed: /m);
    expect(messages).toMatch(/^06-novak\.txt: failed: .*\/bags.* 0/m);
    expect(stderr.all.at(-1)).toMatch(/^14 .*\b8 of 8\b.*\b2 failed/);
  });

  test("reads other folders, with the requested concurrency", async ({ expect, start, onTestFinished }) => {
    const folder = await folderOf(
      onTestFinished,
      Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`${i}.txt`, `Letter ${i}`])),
    );
    await writeFile(join(folder, "not a letter.md"), "");
    const order = JSON.stringify({ orders: [{ customer: "A", product: "bran", bags: 1, kilos: 2.5 }] });
    const held: ServerResponse[] = [];
    let most = 0;
    const server = await serve(async (response) => {
      most = Math.max(most, held.push(response));
      if (held.length < 2) return;
      await sleep(50); // time for a third request
      for (const it of held.splice(0)) eventStream(it).end(events([order]));
    });
    onTestFinished(() => server.stop());
    const argv = [folder, "--concurrency", "2", "--base-url", server.baseURL];
    const { stdout, stderr, ended } = await start(program, argv, { MODEL: "mine" });
    expect(await ended).toBe(0);
    expect(most).toBe(2);
    expect(server.requests.map(({ body }) => body["model"])).toEqual(Array(6).fill("mine"));
    expect(stdout.all.map((line) => (JSON.parse(line) as { file: string }).file).sort()).toEqual(
      Array.from({ length: 6 }, (_, i) => `${i}.txt`),
    );
    expect(stderr.all.at(-1)).toBe("6 orders in 6 of 6 letters");
  });

  test("on Ctrl-C, writes the extracted orders and closes the open request", async ({
    expect,
    start,
    onTestFinished,
  }) => {
    const folder = await folderOf(onTestFinished, { "a.txt": "A", "b.txt": "B", "c.txt": "C" });
    const server = await serve((response) => {
      const orders = '{"orders": [{"customer": "A", "product": "bran", "bags": 1, "kilos": 2.5}';
      // The first letter is complete. The next one has an order, and then hangs.
      if (server.requests.length === 1) eventStream(response).end(events([`${orders}]}`]));
      else eventStream(response).write(piece(orders));
    });
    onTestFinished(() => server.stop());
    const argv = [folder, "--concurrency", "1", "--base-url", server.baseURL];
    const { stdout, stderr, ended, kill } = await start(program, argv);
    await stderr.like(/^a\.txt: 1 order$/);
    await expect.poll(() => server.requests.length).toBe(2);
    kill("SIGINT");
    expect(await ended).toBe(130);
    await expect.poll(server.left).toBe(1);
    expect(stdout.all).toEqual([
      JSON.stringify({ file: "a.txt", customer: "A", product: "bran", bags: 1, kilos: 2.5 }),
    ]);
    expect(stderr.all.slice(-2)).toEqual(["Interrupted.", "1 order in 1 of 3 letters"]);
    expect(server.requests).toHaveLength(2);
  });

  test("rejects invalid arguments", async ({ expect, start, onTestFinished }) => {
    const empty = await folderOf(onTestFinished, {});
    const wrong = [[empty], ["/no/such/folder"], ["--concurrency", "0"], ["--nonsense"]];
    const runs = await Promise.all(wrong.map((argv) => start(program, argv)));
    expect(await Promise.all(runs.map(({ ended }) => ended))).toEqual([2, 2, 2, 2]);
    const firsts = runs.map(({ stderr }) => stderr.all[0]);
    expect(firsts[0]).toContain(empty);
    expect(firsts[1]).toContain("/no/such/folder");
    expect(firsts[2]).toContain("--concurrency");
    expect(firsts[3]).toContain("--nonsense");
    for (const { stderr } of runs)
      expect(stderr.all.join("\n")).toMatch(/^Usage: .*FOLDER.*--concurrency.*--model.*--base-url/m);
  });
});

async function folderOf(
  onTestFinished: TestContext["onTestFinished"],
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "letters-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}
