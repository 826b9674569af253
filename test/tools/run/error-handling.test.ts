import { collect, StreamError, tool } from "millrace";
import { ToolError, runTool, type ToolErrorEvent } from "millrace/agent";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { eventsOf, toldBy } from "../support.js";

const schema = z.object({ city: z.string() });
const failing = (error: unknown, options: object = {}): ReturnType<typeof tool> =>
  tool({
    name: "weather",
    schema,
    run: () => {
      throw error;
    },
    ...options,
  }) as never;
const oslo = { city: "Oslo" };

describe("an error of the run", () => {
  test.each([
    ["by default", {}, 'The tool "weather" failed: no network'],
    ["on", { onError: true }, 'The tool "weather" failed: no network'],
    ["a text", { onError: "Try again later." }, "Try again later."],
    ["a function", { onError: (error: Error) => `Sorry: ${error.message}.` }, "Sorry: no network."],
    ["an async function", { onError: () => Promise.resolve("Sorry.") }, "Sorry."],
    ["a function that says nothing", { onError: () => undefined }, ""],
  ])("%s: the model gets the text", async (_name, options, text) => {
    const error = new Error("no network");
    const events = await eventsOf(failing(error, options), oslo);
    expect(events).toHaveLength(1);
    const [event] = events as [ToolErrorEvent];
    expect(event).toMatchObject({
      type: "error",
      message: { role: "tool", name: "weather", status: "error" },
    });
    expect(event.message.toolCallId).toBe("call_1");
    expect(event.error).toBe(error);
    expect(await toldBy(failing(error, options), oslo)).toBe(text);
  });

  test("false: the error is thrown unchanged", async () => {
    const error = new Error("no network");
    await expect(eventsOf(failing(error, { onError: false }), oslo)).rejects.toBe(error);
    await expect(eventsOf(failing(undefined, { onError: false }), oslo)).rejects.toBe(undefined);
  });

  test("an error that a function throws ends the run", async () => {
    const worse = new Error("worse");
    const onError = (): never => {
      throw worse;
    };
    await expect(eventsOf(failing(new Error(), { onError }), oslo)).rejects.toBe(worse);
    await expect(eventsOf(failing(new Error(), { onError: () => Promise.reject(worse) }), oslo)).rejects.toBe(
      worse,
    );
  });

  test("a function gets the call", async () => {
    const onError = (_error: unknown, call: unknown): string => JSON.stringify(call);
    expect(JSON.parse(await toldBy(failing(new Error(), { onError }), oslo))).toEqual({
      id: "call_1",
      name: "weather",
      args: oslo,
    });
  });

  test.each([
    [
      "thrown at once",
      (error: Error) => {
        throw error;
      },
    ],
    ["rejected with", (error: Error) => Promise.reject(error)],
    [
      "thrown by a generator",
      async function* (error: Error) {
        await Promise.resolve();
        yield 1;
        throw error;
      },
    ],
    [
      "thrown by a promised generator",
      (error: Error) =>
        Promise.resolve(
          (async function* () {
            await Promise.resolve();
            yield 1;
            throw error;
          })(),
        ),
    ],
  ])("is handled in the same way if it is %s", async (_name, run: (error: Error) => unknown) => {
    const error = new Error("no network");
    const it = tool({ name: "it", run: () => run(error) });
    expect((await eventsOf(it, { input: "" })).at(-1)).toMatchObject({ type: "error", error });
    await expect(eventsOf({ ...it, onError: false }, { input: "" })).rejects.toBe(error);
  });
});

describe("invalid input", () => {
  const it = (onInvalidInput?: unknown): ReturnType<typeof tool> =>
    tool({
      name: "weather",
      schema,
      run: () => "never",
      onError: "not this",
      onInvalidInput: onInvalidInput as never,
    }) as never;

  test.each([
    ["by default", undefined, /"weather".* \/city: .*string/],
    ["on", true, /"weather".* \/city: .*string/],
    ["a text", "A city, please.", /^A city, please\.$/],
    ["a function", (error: ToolError) => error.issues.map(({ pointer }) => pointer).join(), /^\/city$/],
    ["an async function", () => Promise.resolve("Hm."), /^Hm\.$/],
  ])("%s: the model gets the text", async (_name, handling, text) => {
    expect(await toldBy(it(handling), { city: 7 })).toMatch(text);
  });

  test("false: the error is thrown", async () => {
    await expect(eventsOf(it(false), { city: 7 })).rejects.toMatchObject({
      name: "ToolError",
      code: "invalid_input",
      tool: "weather",
      issues: [{ pointer: "/city" }],
    });
  });

  test("the run does not start", async () => {
    let runs = 0;
    const counting = tool({ name: "it", schema, run: () => runs++ });
    await eventsOf(counting, {});
    expect(runs).toBe(0);
  });

  test("an error that a schema throws is not invalid input", async () => {
    const broken = z.object({
      city: z.string().refine(() => {
        throw new Error("no such table");
      }),
    });
    expect(await toldBy(tool({ name: "it", schema: broken, run: () => "" }), oslo)).toMatch(
      /"it".*: no such table$/,
    );
  });
});

describe("the model never gets", () => {
  const stack =
    "boom\n    at run (/srv/app/index.js:3:5)\n    at file:///srv/app/main.js:1:1\n    at node:internal/x";
  test.each([
    ["a stack", stack, "boom"],
    [
      "the path of a file",
      "ENOENT: no such file, open '/etc/app/secrets.json'",
      "ENOENT: no such file, open '[path]'",
    ],
    ["a path with spaces", 'cannot read "/srv/my app/a b.txt" now', 'cannot read "[path]" now'],
    ["a path in the middle", "cannot read /srv/app/a.txt: denied", "cannot read [path]: denied"],
    ["a path at the root", "cannot read /secrets", "cannot read [path]"],
    ["a path in brackets", "denied (/srv/app/a.txt)", "denied ([path])"],
    ["a path after an equals sign", "cwd=/srv/app", "cwd=[path]"],
    ["a home", "no key in ~/.ssh/id_rsa.", "no key in [path]."],
    ["a file URL", "cannot import file:///srv/app/a.js, sorry", "cannot import [path], sorry"],
    ["a path of Windows", "cannot read C:\\app\\a.txt", "cannot read [path]"],
    ["a path of Windows with spaces", "cannot read 'C:\\Program Files\\a.txt'", "cannot read '[path]'"],
    ["a path of Windows with slashes", "cannot read D:/app/a.txt", "cannot read [path]"],
    ["a share", "cannot read \\\\host\\share\\a.txt", "cannot read [path]"],
    ["a place in a source", "bad config (src/config.ts:10:5)", "bad config ([path])"],
    [
      "a password in a URL",
      "postgres://ann:s3cret@db.example.com/x is down",
      "postgres://db.example.com/x is down",
    ],
    ["a password with an @", "postgres://admin:s3cr@tpass@db:5432/x", "postgres://db:5432/x"],
    ["a password with brackets", 'url="postgres://u:se(cret)@h/x"', 'url="postgres://h/x"'],
    ["a password with a quote", "postgres://u:a'bcdefgh@h/x", "postgres://h/x"],
    ["a password with a slash", "redis://:pa/ssword@host:6379", "redis://host:6379"],
    ["a user with an @", "ftp://ann@example.com@h/x", "ftp://h/x"],
  ])("%s", async (_name, message, text) => {
    expect(await toldBy(failing(new Error(message)), oslo)).toMatch(/"weather".*: /);
    expect(await toldBy(failing(new Error(message)), oslo)).toContain(`: ${text}`);
  });

  test.each([
    "GET https://api.example.com/v1/cities?x=1 gave 404",
    "at most 5 km/h and/or 3/4",
    "the ratio is 16:9, as in a/b",
    "use 10:30 or 11:45",
    "ask ann@example.com or a//b@c",
    "http://localhost:4873/@scope/name and https://example.com/@ann?x=a@b gave 404",
  ])("but it gets: %s", async (message) => {
    expect(await toldBy(failing(new Error(message)), oslo)).toContain(`: ${message}`);
  });

  // G-agent-2
  test("the cause of an error", async () => {
    const error = new Error("cannot save", { cause: new Error("password is wrong") });
    expect(await toldBy(failing(error), oslo)).toMatch(/"weather".*: cannot save$/);
  });

  test("a long text, and cutting it is fast", async () => {
    for (const part of ["x", "a/", "\\a", " /a", "'/", "a.ts:1", "a://b"]) {
      expect((await toldBy(failing(new Error(part.repeat(500_000))), oslo)).length).toBeLessThan(540);
    }
  });

  test.each([
    ["nothing", undefined, "."],
    ["an object", { secret: 1 }, "."],
    ["an error without a message", new Error(), "."],
    ["a text", "no network", ": no network"],
  ])("the thrown value if it is %s", async (_name, error, end) => {
    expect(await toldBy(failing(error), oslo)).toMatch(new RegExp(`"weather"[^:]*${end}$`));
  });
});

describe("a ToolError", () => {
  test("is sent unchanged, because its message is for the model", async () => {
    const error = new ToolError("failed", "There is no city at /Oslo. Try /oslo.");
    expect(await toldBy(failing(error), oslo)).toBe("There is no city at /Oslo. Try /oslo.");
    await expect(eventsOf(failing(error, { onError: false }), oslo)).rejects.toBe(error);
  });

  test("differs from other errors of this package", async () => {
    expect(await toldBy(failing(new StreamError("timeout", "in /srv/app")), oslo)).toMatch(
      /"weather".*: in \[path\]$/,
    );
  });

  test("has its cause", async () => {
    const cause = new Error("inner");
    const run = collect(
      runTool(failing(new ToolError("failed", "No.", { cause })), { id: "1", name: "weather", args: oslo }),
    );
    expect(((await run)[0] as ToolErrorEvent).error).toMatchObject({ code: "failed", cause, issues: [] });
  });
});
