import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium, type Page, type Route } from "playwright-core";
import { chromiumArgs, chromiumPath, noChromium } from "../find-chromium.js";
import { events, eventStream, serve } from "../model-server.js";
import { Skipped } from "../runtimes/report.js";

type Script = "dev" | "start";

/**
 * Starts an app by a script of its package.json, and uses its page as a user would: first without a key, then with a
 * model that answers, then with one that cannot be reached.
 */
export async function checkStarterPage(app: string, template: string, script: Script): Promise<void> {
  if (chromiumPath === undefined) throw new Skipped(noChromium);
  const use = uses[template === "chat" ? "chat" : "recipe"];
  await onPage(app, script, {}, async (page) => {
    await page.waitForSelector(".note:has-text('scripted')");
    await page.waitForSelector("millrace-devtools", { state: script === "dev" ? "attached" : "detached" });
    await use.script(page);
    await page.setViewportSize({ width: 390, height: 844 });
    expectEqual("nothing is wider than a small page", await widerBy(page), 0);
  });
  const model = await serve((response) => {
    eventStream(response).end(events([use.answer]));
  });
  const env = { OPENAI_API_KEY: "none", OPENAI_BASE_URL: model.baseURL };
  await onPage(app, script, env, async (page) => {
    try {
      await use.ask(page);
      await page.waitForSelector("text=Written by a model");
      expectEqual("there is no note about a script", await page.locator(".note").count(), 0);
    } finally {
      await model.stop();
    }
    await use.ask(page);
    const shown = await page.locator("main [role=alert]").innerText({ timeout: 30_000 });
    const [words, reason = ""] = shown.split("\n");
    expectEqual("the words for users", words, "The model cannot be reached. Please try again later.");
    const expected =
      script === "dev" ? /^In development: ModelError network: .* Is the server running\?$/ : /^$/;
    expectEqual(`the reason ${JSON.stringify(reason)} is shown in development`, expected.test(reason), true);
  });
}

async function onPage(
  app: string,
  script: Script,
  env: Readonly<Record<string, string>>,
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const server = await startApp(app, script, env);
  const browser = await chromium.launch({ executablePath: chromiumPath as string, args: chromiumArgs });
  try {
    const page = await (await browser.newContext()).newPage();
    const failures: string[] = [];
    page.on("pageerror", (error) => failures.push(String(error)));
    page.on("console", (message) => {
      // The browser reports each refused request.
      if (message.type() === "error" && !message.text().startsWith("Failed to load"))
        failures.push(message.text());
    });
    await page.goto(server.url, { waitUntil: "networkidle" });
    await use(page);
    if (failures.length > 0) throw new Error(failures.join("\n"));
  } catch (error) {
    throw new Error(`${String(error)}\n${server.output()}`, { cause: error });
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** How the page of a template is used. */
interface PageUse {
  /** Plays the script of the template. */
  readonly script: (page: Page) => Promise<void>;
  readonly ask: (page: Page) => Promise<void>;
  /** What a model answers. */
  readonly answer: string;
}

const uses: Readonly<Record<"recipe" | "chat", PageUse>> = {
  recipe: {
    script: useRecipePage,
    ask: (page) => page.click("text=Write it"),
    answer: '{"title":"Written by a model","minutes":1,"ingredients":[],"steps":[]}',
  },
  chat: { script: useChatPage, ask: (page) => say(page, "Hello."), answer: "Written by a model." },
};

/** Fills in the page, with a reload in the middle; stops the next run; and shows what a refused request says. */
async function useRecipePage(page: Page): Promise<void> {
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/recipe")) asked.push(request.method());
  });
  await page.waitForSelector("button:disabled:has-text('Stop')");
  await page.fill("input", "carrot soup");
  await page.click("text=Write it");
  await page.waitForSelector(".card h2:has-text('carrot soup')");
  await page.waitForSelector(".card li");
  await page.reload();
  await page.waitForSelector("li:has-text('serve with bread.')");
  await page.waitForSelector("button:enabled:has-text('Write it')");
  expectEqual("a reload reads the same run", asked, ["POST", "GET"]);

  await page.click("text=Write it");
  await page.waitForSelector(".card[aria-busy=true] li");
  await page.click("text=Stop");
  await page.waitForSelector("button:enabled:has-text('Write it')");
  const stopped = await page.innerText("main");
  await sleep(500);
  expectEqual("a stopped run does not grow", await page.innerText("main"), stopped);
  expectEqual("the server is told", asked.at(-1), "DELETE");

  await page.route("**/api/**", refuse);
  await page.click("text=Write it");
  await page.waitForSelector("[role=alert]:has-text('Sign in to continue.')");
}

/** Books a table, with a reload and a second tab; stops an answer; and shows what a refused request says. */
async function useChatPage(page: Page): Promise<void> {
  await say(page, "A table for four, please.");
  await page.waitForSelector("text=Asking Café Luz");
  await page.reload();
  await page.waitForSelector(".card:has-text('Book table?') >> text=Allow");
  const second = await page.context().newPage();
  await second.goto(page.url());
  await second.waitForSelector(".card:has-text('Café Luz')");
  await page.click("text=Allow");
  await page.waitForSelector("text=Enjoy your evening!");
  await page.waitForSelector(".usage:has-text('tokens')");
  await page.waitForSelector("nav a:has-text('A table for four')");
  await second.reload();
  await second.waitForSelector("text=Enjoy your evening!");
  await second.close();

  await say(page, "Another table for two.");
  await page.waitForSelector("[aria-busy=true]");
  await page.click("text=Stop");
  await page.waitForSelector("text=Stopped.");
  await page.click("text=Continue");
  await page.click(".card >> text=Reject");
  await page.waitForSelector("text=I have not booked anything.");

  await showsOlderChats(page, "A table for four");

  await page.route("**/api/chat**", refuse);
  await say(page, "Thanks.");
  await page.waitForSelector("[role=alert]:has-text('Sign in to continue.')");
  expectEqual("what was not sent", await page.inputValue("textarea"), "Thanks.");
}

/** Begins more conversations than the page lists, in a small and a large window. */
async function showsOlderChats(page: Page, oldest: string): Promise<void> {
  for (let begun = 0; begun < 50; begun += 10) {
    const chats = Array.from({ length: 10 }, (_, index) => `chat-${begun + index}`);
    await Promise.all(
      chats.map(async (id) => {
        const data = { type: "send", text: `Hello from ${id}` };
        const response = await page.request.post(new URL(`/api/chat?thread=${id}`, page.url()).href, {
          data,
        });
        expectEqual("the answer", response.status(), 200);
      }),
    );
  }
  for (const width of [1_280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await page.reload();
    await page.waitForSelector("nav a:has-text('Hello from')");
    expectEqual("the latest chats", await page.locator("nav a").count(), 50);
    await page.click("text=Older chats");
    await page.waitForSelector(`nav a:has-text('${oldest}')`);
    expectEqual("all chats", await page.locator("nav a").count(), 51);
    expectEqual("the button for older ones", await page.locator("text=Older chats").count(), 0);
    expectEqual(`nothing is wider than ${width} pixels`, await widerBy(page), 0);
  }
}

/** The pixels by which the page is wider than the window. */
function widerBy(page: Page): Promise<number> {
  return page.evaluate("document.documentElement.scrollWidth - innerWidth");
}

async function say(page: Page, text: string): Promise<void> {
  await page.waitForSelector("button:has-text('Send')"); // the answer before has ended
  await page.fill("textarea", text);
  await page.press("textarea", "Enter");
}

function refuse(route: Route): Promise<void> {
  return route.fulfill({ status: 401, json: { code: "unauthorized", message: "Sign in to continue." } });
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

async function startApp(
  app: string,
  script: Script,
  variables: Readonly<Record<string, string>>,
): Promise<StartedApp> {
  const port = await freePort();
  const flags = script === "dev" ? ["--", "--port", String(port)] : [];
  const child = spawn("npm", ["run", script, ...flags], {
    cwd: app,
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], PORT: String(port), ...variables },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true, // npm, its shell and the server are stopped together
  });
  const exited = once(child, "exit");
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text: Buffer) => (output = `${output}${text.toString()}`.slice(-10_000)));
  // A development server that is killed leaves its lock, and the next one does not start.
  const stop = async (): Promise<void> => {
    signal("SIGTERM");
    await Promise.race([exited, sleep(5_000)]);
    signal("SIGKILL");
    await exited;
  };
  const signal = (name: NodeJS.Signals): void => {
    try {
      process.kill(-(child.pid as number), name);
    } catch {
      // All of them have ended.
    }
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
