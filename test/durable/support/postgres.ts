import { execFileSync } from "node:child_process";
import { chownSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { describe } from "vitest";
import { freePort, ServerProcess } from "../../support/server-process.js";

/** The folder with `initdb` and `postgres`: Debian does not put it into PATH. */
function findPrograms(): string | undefined {
  const configured = process.env["POSTGRES_BIN"];
  if (configured !== undefined) return configured;
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = versions.map((version) => join(debian, version, "bin"));
  return [...folders, ...(process.env["PATH"] ?? "").split(":")].find((it) => existsSync(join(it, "initdb")));
}

/** PostgreSQL refuses to run as root, so it runs as the user that Debian's package creates. */
function findUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { stdio: "pipe" }).toString());
  return { uid: id("-u"), gid: id("-g") };
}

const programs = findPrograms();
if (programs === undefined)
  console.log("Skipped: PostgreSQL not found (POSTGRES_BIN, /usr/lib/postgresql or PATH)");

/** Whether PostgreSQL is installed. */
export const hasPostgres: boolean = programs !== undefined;

/** A group of tests that needs PostgreSQL. They are skipped without it. */
export const describePostgres: typeof describe.skip = describe.skipIf(!hasPostgres);

/** A PostgreSQL server in a folder of its own. */
export class PostgresServer extends ServerProcess {
  private url = "";
  private databases = 0;
  private port = 0;

  constructor() {
    super("postgres", "SIGQUIT");
  }

  async start(): Promise<void> {
    const options = this.options();
    if (options.uid !== undefined && options.gid !== undefined)
      chownSync(this.folder, options.uid, options.gid);
    const command = join(programs ?? "", "initdb");
    const flags = ["--no-sync", "--auth=trust", "--username=postgres", "--encoding=UTF8"];
    execFileSync(command, ["-D", this.data, ...flags], { ...options, stdio: "pipe" });
    this.port = await freePort();
    this.url = `postgresql://postgres@127.0.0.1:${this.port}`;
    await this.resume();
  }

  /** Starts the server again after `kill()`, with its data and its address. */
  async resume(): Promise<void> {
    const settings = {
      ...{ port: this.port, listen_addresses: "127.0.0.1", unix_socket_directories: this.folder },
      // Only processes die in tests, never the machine.
      ...{ fsync: "off", full_page_writes: "off", max_connections: 60 },
    };
    const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    this.spawn(join(programs ?? "", "postgres"), ["-D", this.data, ...args], {
      ...this.options(),
      stdio: ["ignore", "ignore", "pipe"],
    });
    await this.prints(/ready to accept connections/, "stderr");
  }

  private get data(): string {
    return join(this.folder, "data");
  }

  private options() {
    return { ...findUser(), cwd: this.folder, env: { LC_ALL: "C", TZ: "UTC" } };
  }

  /**
   * Creates a database and returns its address. DBOS 5.3 sets the timeout itself if the address does not, by a query
   * that overlaps with the next one, and Node prints a deprecation warning of `pg`.
   */
  async newDatabase(): Promise<string> {
    const client = new pg.Client(`${this.url}/postgres`);
    await client.connect();
    const name = `test_${++this.databases}`;
    await client.query(`CREATE DATABASE ${name}`);
    await client.end();
    return `${this.url}/${name}?options=-c%20idle_in_transaction_session_timeout%3D60s`;
  }

  /** Creates a database, and a client that does not mind when the server ends. */
  async newClient(): Promise<{ readonly url: string; readonly client: pg.Client }> {
    const url = await this.newDatabase();
    const client = new pg.Client(url);
    client.on("error", () => undefined);
    await client.connect();
    return { url, client };
  }
}
