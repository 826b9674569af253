import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { markdownExamples } from "../../../../scripts/markdown-examples.js";

const root = join(import.meta.dirname, "../../../..");

/** A server of the docs. */
export interface DocServer {
  /** Its file and line. */
  readonly name: string;
  readonly needsRedis: boolean;
  readonly code: string;
}

/**
 * The examples of the README and the docs that define a handler or a server. Handlers are served by `nodeHandler()`.
 * Those that need PostgreSQL are left out.
 */
export function docServers(): DocServer[] {
  const pages = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md") && !/^(?:reference|api|benchmarks)\//.test(file))
    .map((file) => `docs/${file}`);
  return ["README.md", ...pages.sort()].flatMap((page) =>
    markdownExamples(readFileSync(join(root, page), "utf8"))
      .filter(({ code }) => /\b(?:function|const) handle\b|\.listen\(/.test(code))
      .filter(({ code }) => !code.includes("DATABASE_URL"))
      .map(({ code, line }) => ({
        name: `${page}:${line}`,
        needsRedis: code.includes("new Redis("),
        code: runnable(code),
      })),
  );
}

/** A program of an example. */
function runnable(code: string): string {
  const complete = code
    .replace(/^declare function handle\(.*$/m, "const handle = async () => Response.json({});")
    .replace(/new Redis\(.*?\)/, 'new Redis(process.env["REDIS_PATH"] ?? "")');
  if (complete.includes(".listen(")) return complete;
  return `${complete}
import { createServer as createNodeServer } from "node:http";
import { nodeHandler as forNode } from "millrace/serve";
createNodeServer(forNode(handle)).listen();`;
}

/** Loads the examples one after the other. Each server gets a free port, whatever it asks for. */
const loader = (servers: readonly DocServer[]): string => `
import net from "node:net";
const { listen } = net.Server.prototype;
const opened = [];
let current;
net.Server.prototype.listen = function () {
  const name = current;
  opened.push(new Promise((resolve) => this.once("listening", () => resolve([name, this.address().port]))));
  return listen.call(this, 0, "127.0.0.1");
};
${servers.map(({ name }, i) => `current = ${JSON.stringify(name)}; await import("./server-${i}.ts");`).join("\n")}
console.log("PORTS " + JSON.stringify(Object.fromEntries(await Promise.all(opened))));
`;

/** The servers in a process of their own, which is started again if it has ended. */
export class DocServerProcess {
  private readonly servers: readonly DocServer[];
  private readonly env: NodeJS.ProcessEnv;
  private folder: string | undefined;
  private child: ChildProcess | undefined;
  private ports: Promise<Readonly<Record<string, number>>> | undefined;
  private complaint = "";

  constructor(servers: readonly DocServer[], env: NodeJS.ProcessEnv) {
    this.servers = servers;
    this.env = env;
  }

  async portOf(name: string): Promise<number> {
    this.ports ??= this.start();
    const port = (await this.ports)[name];
    if (port === undefined) throw new Error(`${name} does not listen. ${this.complaint}`);
    return port;
  }

  /** What the process said before it ended, or `undefined` while it runs. */
  get end(): string | undefined {
    return this.child?.exitCode === null ? undefined : `The process ended. ${this.complaint}`;
  }

  async close(): Promise<void> {
    const { child } = this;
    if (child?.exitCode === null && child.signalCode === null) {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    if (this.folder !== undefined) rmSync(this.folder, { recursive: true });
  }

  private async start(): Promise<Readonly<Record<string, number>>> {
    const { OPENAI_API_KEY: _, ...others } = process.env; // without it, examples use a scripted model
    const cwd = (this.folder ??= await this.bundle());
    const child = spawn(process.execPath, [join(cwd, "main.mjs")], { cwd, env: { ...others, ...this.env } });
    this.child = child;
    this.complaint = "";
    child.stderr.on("data", (text) => (this.complaint = `${this.complaint}${String(text)}`.slice(-2_000)));
    child.on("exit", () => {
      this.ports = undefined;
    });
    for await (const line of createInterface(child.stdout)) {
      if (line.startsWith("PORTS ")) {
        child.stdout.resume();
        return JSON.parse(line.slice(6)) as Record<string, number>;
      }
    }
    throw new Error(`The servers did not start. ${this.complaint}`);
  }

  private async bundle(): Promise<string> {
    mkdirSync(join(root, "temp"), { recursive: true });
    const folder = mkdtempSync(join(root, "temp/doc-servers-")); // where packages are found
    for (const [i, { code }] of this.servers.entries()) writeFileSync(join(folder, `server-${i}.ts`), code);
    writeFileSync(join(folder, "main.ts"), loader(this.servers));
    writeFileSync(join(folder, "page.js"), ""); // which an example serves
    await build({
      entryPoints: [join(folder, "main.ts")],
      outfile: join(folder, "main.mjs"),
      bundle: true,
      packages: "external",
      platform: "node",
      format: "esm",
      target: "node20",
      logLevel: "silent",
    });
    return folder;
  }
}
