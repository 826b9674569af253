import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium, type Page } from "playwright-core";
import { chromiumArgs, chromiumPath, noChromium } from "../find-chromium.js";
import { Skipped } from "../runtimes/report.js";

/** Starts an app by a script of its package.json, and uses its page as a user would. The app has no key. */
export async function checkStarterPage(app: string, script: "dev" | "start"): Promise<void> {
  if (chromiumPath === undefined) throw new Skipped(noChromium);
  const server = await startApp(app, script);
  const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumArgs });
  try {
    const page = await browser.newPage();
    const failures: string[] = [];
    page.on("pageerror", (error) => failures.push(String(error)));
    page.on("console", (message) => {
      // The browser reports each refused request.
      if (message.type() === "error" && !message.text().startsWith("Failed to load"))
        failures.push(message.text());
    });
    await page.goto(server.url);
    await useStarterPage(page);
    if (failures.length > 0) throw new Error(failures.join("\n"));
  } catch (error) {
    throw new Error(`${String(error)}\n${server.output()}`, { cause: error });
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** Fills in the page, with a reload in the middle; stops the next run; and shows what a refused request says. */
async function useStarterPage(page: Page): Promise<void> {
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/")) asked.push(request.method());
  });
  await page.fill("input", "carrot soup");
  await page.click("text=Write it");
  await page.waitForSelector("h1:has-text('carrot soup')");
  await page.waitForSelector("li");
  await page.reload();
  await page.waitForSelector("li:has-text('serve with bread.')");
  await page.waitForSelector("button:enabled:has-text('Write it')");
  expectEqual("a reload reads the same run", asked, ["POST", "GET"]);

  await page.click("text=Write it");
  await page.waitForSelector("li");
  await page.click("text=Stop");
  await page.waitForSelector("button:enabled:has-text('Write it')");
  const stopped = await page.innerText("main");
  await sleep(500);
  expectEqual("a stopped run does not grow", await page.innerText("main"), stopped);

  await page.route("**/api/**", (route) =>
    route.fulfill({ status: 401, json: { code: "unauthorized", message: "Sign in to continue." } }),
  );
  await page.click("text=Write it");
  await page.waitForSelector("[role=alert]:has-text('Sign in to continue.')");
}

function expectEqual(what: string, found: unknown, expected: unknown): void {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what}: expected ${b}, got ${a}`);
}

interface StartedApp {
  readonly url: string;
  readonly output: () => string;
  readonly stop: () => Promise<void>;
}

async function startApp(app: string, script: string): Promise<StartedApp> {
  const port = await freePort();
  const flags = script === "dev" ? ["--", "--port", String(port)] : [];
  const child = spawn("npm", ["run", script, ...flags], {
    cwd: app,
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true, // npm, its shell and the server are stopped together
  });
  const exited = once(child, "exit");
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text: Buffer) => (output = `${output}${text.toString()}`.slice(-10_000)));
  const stop = async (): Promise<void> => {
    if (child.exitCode === null) process.kill(-(child.pid as number), "SIGKILL");
    await exited;
  };
  const url = `http://localhost:${port}`;
  for (let tries = 0; tries < 600 && child.exitCode === null; tries++) {
    const found = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (found) return { url, output: () => output, stop };
    await sleep(100);
  }
  await stop();
  throw new Error(`npm run ${script} serves nothing at ${url}.\n${output}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
