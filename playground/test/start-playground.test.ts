import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { startPlayground, type StartOptions } from "millrace-playground";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAnswers } from "../../test/behaviour/http/support/exchange.js";
import { rawRequests } from "../../test/behaviour/http/support/raw-requests.js";
import { slowRuns } from "../../test/json/support/runs.js";

const errors: unknown[] = [];
let page: string;
beforeAll(() => {
  page = mkdtempSync(join(tmpdir(), "millrace-page-"));
  writeFileSync(join(page, "index.html"), "<title>millrace playground</title>");
});
afterAll(() => {
  rmSync(page, { recursive: true });
});

function options(more: Partial<StartOptions> = {}): StartOptions {
  return { page, onError: (error) => errors.push(error), ...more };
}

test("rejects a missing page, and recordings that cannot be read", async () => {
  const none = join(page, "none");
  await expect(startPlayground(options({ page: none }))).rejects.toThrow(/npm run build/);
  await expect(startPlayground(options({ recordings: none }))).rejects.toThrow(/recordings/);
});

test("rejects a port that is in use", async () => {
  const other = createServer();
  await once(other.listen(0, "127.0.0.1"), "listening");
  const { port } = other.address() as AddressInfo;
  try {
    await expect(startPlayground(options({ port }))).rejects.toThrow(String(port));
  } finally {
    other.close();
  }
});

test("survives any bytes", { timeout: 60_000 + 20 * slowRuns(200) }, async () => {
  const playground = await startPlayground(options());
  const known = errors.length;
  try {
    const port = Number(new URL(playground.url).port);
    const property = fc.asyncProperty(rawRequests(), (requests) => expectAnswers(port, requests));
    await fc.assert(property, { numRuns: slowRuns(200) });
    expect(errors.slice(known)).toEqual([]);
  } finally {
    await playground.stop();
  }
});

test("serves the loopback interface, with a content security policy, until it is stopped", async () => {
  const playground = await startPlayground(options());
  try {
    expect(playground.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    const response = await fetch(playground.url);
    expect(await response.text()).toContain("millrace playground");
    expect(response.headers.get("content-security-policy")).toContain("default-src 'self'");
    expect((await fetch(`${playground.url}%2e%2e/package.json`)).status).toBe(404);
    expect((await fetch(playground.url, { headers: { origin: "https://evil.example" } })).status).toBe(403);
  } finally {
    await playground.stop();
  }
  await expect(fetch(playground.url)).rejects.toThrow();
  expect(errors).toEqual([]);
});
