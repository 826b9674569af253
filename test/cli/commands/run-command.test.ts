import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ServerResponse } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { Stop } from "#src/cli/terminal/stop.js";
import { run } from "../harness.js";
import { events, eventStream, serve, type ModelServer } from "../../../scripts/model-server.js";
import { Screen } from "../screen.js";

const schema = {
  title: "A tea!",
  type: "object",
  required: ["name"],
  properties: { name: { type: "string" }, minutes: { type: "integer" } },
};
const texts = ['{"name": "Gre', 'en tea", "min', 'utes": 3', "}"];

/** What standard error has when nothing else is reported. */
const timed = expect.stringMatching(/^millrace run: \d+\.\d s \(first text after \d+\.\d s\)\n$/) as string;

let folder: string;
let schemaFile: string;
let server: ModelServer | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "millrace-cli-"));
  schemaFile = join(folder, "tea.schema.json");
  await writeFile(schemaFile, JSON.stringify(schema));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

async function answering(answer: (response: ServerResponse) => void | Promise<void>): Promise<ModelServer> {
  return (server = await serve(answer));
}

const [firstEvent = ""] = events(texts).split(/(?<=\n\n)/);

/** Polls, because a fixed time limit fails on a slow machine. */
async function shown(screen: Screen, text: string): Promise<void> {
  await expect.poll(() => screen.text, { interval: 5 }).toBe(text);
}

function good(response: ServerResponse): void {
  eventStream(response).end(events(texts));
}

describe("the request", () => {
  it("is sent to the server of --base-url or the environment, with the key and the schema", async () => {
    const { baseURL, requests } = await answering(good);
    const argv = ["run", "--model", "openai:gpt-6.1-terra", "--schema", schemaFile, "--final", "Tea, please"];
    const env = { OPENAI_API_KEY: "the key" };
    const expected = { code: 0, stdout: '{"name":"Green tea","minutes":3}\n', stderr: timed };
    expect(await run([...argv, "--base-url", baseURL], { env })).toEqual(expected);
    expect(await run(argv, { env: { ...env, OPENAI_BASE_URL: baseURL } })).toEqual(expected);
    expect(requests).toHaveLength(2);
    for (const { headers, body } of requests) {
      expect(headers.authorization).toBe("Bearer the key");
      expect(body).toMatchObject({
        model: "gpt-6.1-terra",
        stream: true,
        messages: [{ role: "user", content: "Tea, please" }],
        response_format: { type: "json_schema", json_schema: { name: "A_tea_", strict: true } },
      });
    }
  });

  it("is not made if the address is not a URL, and the error names where it was set", async () => {
    const argv = ["run", "--model", "openai:gpt-6.1-terra", "Tea"];
    const env = { OPENAI_API_KEY: "the key", OPENAI_BASE_URL: "nonsense" };
    const { code, stderr } = await run(argv, { env });
    expect(code).toBe(2);
    expect(stderr).toContain('OPENAI_BASE_URL "nonsense" is not an http or https URL.');
    const answer = await run([...argv, "--base-url", "localhost:80"], { env });
    expect(answer.stderr).toContain('--base-url "localhost:80" is not an http or https URL.');
  });

  it("has the whole schema for a local server, whatever the name of its model is", async () => {
    const { baseURL, requests } = await answering(good);
    const limited = join(folder, "limited.schema.json");
    await writeFile(
      limited,
      JSON.stringify({ ...schema, properties: { name: { type: "string", maxLength: 20 } } }),
    );
    const argv = ["run", "--model", "qwen3:8b", "--schema", limited, "--final", "Tea", "--base-url", baseURL];
    expect((await run([...argv, "--server", "llama.cpp"], { env: {} })).code).toBe(0);
    const { model, response_format: format } = requests[0]?.body as Record<string, unknown>;
    expect(model).toBe("qwen3:8b");
    expect(format).toMatchObject({
      json_schema: { schema: { required: ["name"], properties: { name: { maxLength: 20 } } } },
    });
    const wrong = await run([...argv, "--server", "llama"], { env: {} });
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("lmstudio") as string });
  });

  it("uses strict mode, in which the model writes null for optional properties", async () => {
    const { baseURL } = await answering((response) => {
      eventStream(response).end(events(['{"name": "Green tea", "minutes": null}']));
    });
    const argv = [
      "run",
      "--model",
      "openai:gpt-6.1-terra",
      "--schema",
      schemaFile,
      "--final",
      "--base-url",
      baseURL,
    ];
    const expected = { code: 0, stdout: '{"name":"Green tea"}\n', stderr: timed };
    expect(await run([...argv, "Tea"], { env: {} })).toEqual(expected);
  });

  it("has instructions in the prompt if there is no schema, or the model does not support one", async () => {
    const { baseURL, requests } = await answering(good);
    const argv = ["run", "--base-url", baseURL, "--model"];
    await run([...argv, "openai:local", "--schema", schemaFile, "Tea"]);
    await run([...argv, "openai:gpt-6.1-terra", "Tea"]);
    const prompts = requests.map(({ body }) => JSON.stringify(body["messages"]));
    expect(prompts[0]).toMatch(/Tea\\n\\n.*JSON/);
    expect(prompts[0]).toContain("A tea!");
    expect(prompts[1]).toMatch(/Tea\\n\\n.*JSON/);
    for (const { body } of requests) expect(body).not.toHaveProperty("response_format");
  });
});

describe("the output", () => {
  const argv = (baseURL: string): string[] => ["run", "--model", "openai:m", "--base-url", baseURL];

  it("is patches by default, and has other modes", async () => {
    const { baseURL } = await answering(good);
    const patches = await run([...argv(baseURL), "Tea"]);
    expect(patches).toEqual({
      code: 0,
      stdout:
        '[{"op":"replace","path":"","value":{"name":"Gre"}}]\n' +
        '[{"op":"replace","path":"/name","value":"Green tea"}]\n' +
        '[{"op":"add","path":"/minutes","value":3}]\n',
      stderr: timed,
    });
    const snapshots = await run([...argv(baseURL), "--snapshots", "Tea"]);
    expect(snapshots.stdout).toBe('{"name":"Gre"}\n{"name":"Green tea"}\n{"name":"Green tea","minutes":3}\n');
  });

  it("is updated in place on a terminal, and ends with the whole value", async () => {
    const screen = new Screen(40, 12);
    const frames = [
      "openai:m\n\nname: Gre▌\n\n1 chunk · 1 patch",
      "openai:m\n\nname: Green tea▌\n\n2 chunks · 2 patches",
    ];
    const { baseURL } = await answering(async (response) => {
      eventStream(response);
      const [first, second, ...rest] = events(texts).split(/(?<=\n\n)/);
      for (const [index, event] of [first, second].entries()) {
        response.write(event);
        await shown(screen, frames[index] as string);
      }
      response.end(rest.join(""));
    });
    const { code, stderr } = await run([...argv(baseURL), "Tea"], { stdout: screen, env: { NO_COLOR: "1" } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: timed });
    expect(screen.text).toBe("openai:m\n\nname: Green tea\nminutes: 3");
    expect(screen.cursorVisible).toBe(true);
  });

  it("is NDJSON on a terminal with a mode, and on a dumb terminal", async () => {
    const { baseURL } = await answering(good);
    const asked = new Screen(80, 20);
    await run([...argv(baseURL), "--final", "Tea"], { stdout: asked });
    expect(asked.text).toBe('{"name":"Green tea","minutes":3}');
    const dumb = new Screen(80, 20);
    await run([...argv(baseURL), "Tea"], { stdout: dumb, env: { TERM: "dumb" } });
    expect(dumb.text.split("\n")).toHaveLength(3);
  });

  it("keeps the value of a truncated answer, with the reason", async () => {
    const screen = new Screen(60, 12);
    const { baseURL } = await answering((response) => {
      eventStream(response).end(events(texts.slice(0, 2), "length"));
    });
    const { code, stderr } = await run([...argv(baseURL), "Tea"], { stdout: screen });
    expect(code).toBe(1);
    expect(screen.text).toBe("openai:m\n\nname: Green tea▌\n\n3 chunks · 2 patches");
    expect(screen.cursorVisible).toBe(true);
    for (const fact of ["line 1, column 27", ' {"name":"Green tea"} ', "26 characters", "token limit"])
      expect(stderr).toContain(fact);
  });

  it("is extracted from prose and repaired, and each repair is reported", async () => {
    const { baseURL } = await answering((response) => {
      eventStream(response).end(events(["Sure:\n```json\n", "{name: 'Green", " tea',}\n```"]));
    });
    const final = await run([...argv(baseURL), "--final", "Tea"]);
    expect(final).toMatchObject({ code: 0, stdout: '{"name":"Green tea"}\n' });
    expect(final.stderr).toMatch(/^.*unquoted key.*\b16\n.*quote.*\b22\n.*trailing comma.*\b34\n.* s\)\n$/);
    const screen = new Screen(60, 12);
    const { code, stderr } = await run([...argv(baseURL), "Tea"], { stdout: screen });
    expect(code).toBe(0);
    expect(stderr.split("\n").slice(0, 3)).toEqual(final.stderr.split("\n").slice(0, 3));
    expect(screen.text).toBe("openai:m\n\nname: Green tea");
  });

  it("exits with 4 if the answer does not satisfy the schema", async () => {
    const { baseURL } = await answering((response) => {
      eventStream(response).end(events(['{"minutes": 3.5}']));
    });
    const { code, stderr } = await run([...argv(baseURL), "--schema", schemaFile, "--final", "Tea"]);
    expect(code).toBe(4);
    expect(stderr).toMatch(/^millrace run: .*schema.*\n {2}\/minutes /m);
  });
});

describe("the last line on standard error", () => {
  const argv = (baseURL: string): string[] => ["run", "--model", "openai:m", "--base-url", baseURL, "Tea"];

  it("has the tokens that the model reports", async () => {
    const usage = { choices: [], usage: { prompt_tokens: 1_200, completion_tokens: 1, total_tokens: 1_201 } };
    const { baseURL } = await answering((response) => {
      const answer = events(texts).replace("data: [DONE]", `data: ${JSON.stringify(usage)}\n\ndata: [DONE]`);
      eventStream(response).end(answer);
    });
    const expected =
      /^millrace run: 1,200 input tokens, 1 output token, \d+\.\d s \(first text after \d+\.\d s\)\n$/;
    expect((await run(argv(baseURL))).stderr).toMatch(expected);
    expect((await run(argv(baseURL), { stdout: new Screen(60, 12) })).stderr).toMatch(expected);
  });

  it("comes before an error, if the model has written text", async () => {
    const { baseURL } = await answering((response) => {
      eventStream(response).end(events(['{"minutes": 3.5}']));
    });
    const schemaArgs = [...argv(baseURL), "--schema", schemaFile];
    for (const setting of [{}, { stdout: new Screen(60, 12) }]) {
      const { code, stderr } = await run(schemaArgs, setting);
      expect([code, stderr]).toEqual([4, expect.stringMatching(/^millrace run: \S+ s .*\n.*schema/)]);
    }
  });

  it("follows a warning if --items matched nothing", async () => {
    const { baseURL } = await answering(good);
    const { stderr } = await run([...argv(baseURL), "--items", "/names"]);
    expect(stderr).toMatch(/^.*matched nothing.*"names".*\n.* s\)\n$/);
  });
});

describe("exits with an error on", () => {
  const argv = (baseURL: string): string[] => ["run", "--model", "openai:m", "--base-url", baseURL, "Tea"];

  it("a status of 401", async () => {
    const { baseURL } = await answering((response) => {
      response.writeHead(401, { "content-type": "application/json" });
      response.end('{"error": {"message": "Incorrect API key provided", "code": "invalid_api_key"}}');
    });
    const { code, stdout, stderr } = await run(argv(baseURL));
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
    expect(stderr).toMatch(
      /^millrace run: 127\.0\.0\.1:\d+\/v1\/chat\/completions .*401: Incorrect API key provided/,
    );
  });

  it("a lost connection, after writing the received part", async () => {
    const stdout = new Screen(100, 10);
    const line = '[{"op":"replace","path":"","value":{"name":"Gre"}}]';
    const { baseURL } = await answering(async (response) => {
      eventStream(response).write(firstEvent);
      await shown(stdout, line);
      response.destroy();
    });
    const { code, stderr } = await run([...argv(baseURL), "--patches"], { stdout });
    expect(code).toBe(3);
    expect(stdout.text).toBe(line);
    expect(stderr).toMatch(/^millrace run: .*connection .*\b13 characters/s);
  });

  it("an HTML page instead of a stream", async () => {
    const { baseURL } = await answering((response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<h1>Welcome</h1>");
    });
    const { code, stderr } = await run(argv(baseURL));
    expect(code).toBe(3);
    expect(stderr).toContain("<h1>Welcome</h1>");
  });

  it("Ctrl-C, closes the connection and prints nothing more", async () => {
    const controller = new AbortController();
    const screen = new Screen(60, 12);
    const model = await answering(async (response) => {
      eventStream(response).write(firstEvent);
      await shown(screen, "openai:m\n\nname: Gre▌\n\n1 chunk · 1 patch");
      controller.abort(new Stop("interrupted"));
    });
    const outcome = await run(argv(model.baseURL), { stdout: screen, signal: controller.signal });
    expect(outcome).toEqual({ code: 130, stdout: "", stderr: "" });
    expect(screen.cursorVisible).toBe(true);
    await expect.poll(() => model.left()).toBe(1);
  });
});

describe("an invalid call", () => {
  const wrong: [argv: string[], message: string][] = [
    [["--model", "openai:m"], "prompt"],
    [["--model", "openai:m", " "], "prompt"],
    [["Tea"], "--model openai:gpt-6.1-terra"],
    [["--model", "openai:m", "Tea", "please"], "2"],
    [["--model", "llama3.2", "Tea"], '"ollama:llama3.2"'],
    [["--model", "gpt-6.1-terra", "Tea"], "OPENAI_API_KEY"],
    [["--model", "acme:m", "Tea"], '"acme:m"'],
    [["--model", "openai:", "Tea"], "openai:MODEL"],
    [["--model", "openai:gpt-6.1-terra", "Tea"], "OPENAI_API_KEY"],
    [["--model", "openai:m", "--base-url", "ftp://x", "Tea"], '--base-url "ftp://x"'],
  ];
  it.each(wrong)("%j", async (argv, message) => {
    const { code, stdout, stderr } = await run(["run", ...argv]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(stderr).toContain("millrace run --help");
  });

  const ofObjects = { type: "object", additionalProperties: { type: "string" } };
  const withKey = { OPENAI_API_KEY: "k" };
  const forUsers: [command: string, schema: object, args: string[], env: Record<string, string>][] = [
    ["run", {}, [], {}],
    ["run", { type: "object", properties: { a: ofObjects } }, [], withKey],
    [
      "extract",
      { type: "array", items: { type: "string" } },
      ["--input", "package.json", "--out", "out"],
      withKey,
    ],
    ["run", {}, ["--base-url", "http://me:secret@127.0.0.1/v1"], withKey],
  ];
  it.each(forUsers)(
    "%s with %j %j %j has advice for users, not for programmers",
    async (command, ...call) => {
      const [schema, args, env] = call;
      const folder = await mkdtemp(join(tmpdir(), "millrace-advice-"));
      const path = join(folder, "s.json");
      await writeFile(path, JSON.stringify(schema));
      const prompt = command === "run" ? ["Tea"] : [];
      const argv = [command, "--model", "openai:gpt-6.1-terra", "--schema", path, ...args, ...prompt];
      const { code, stderr } = await run(argv, { env });
      await rm(folder, { recursive: true });
      expect(code).toBe(2);
      expect(stderr).not.toMatch(/\w\(\)|apiKey|baseURL|strict: false|responseFormat/);
    },
  );
});
