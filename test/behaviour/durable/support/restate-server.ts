import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort, ServerProcess } from "../../../support/server-process.js";

/** Where `npm run prove:durable restate` installs what is too large for everybody. */
const installed = join(import.meta.dirname, "../../../../temp/engines/node_modules");
/** The SDK of Restate needs Node 22. */
export const newNode: string = join(installed, "node/bin/node");
const program = join(
  installed,
  `@restatedev/restate-server-${process.platform}-${process.arch}/bin/restate-server`,
);

export const hasRestate: boolean = existsSync(program) && existsSync(newNode);
if (!hasRestate) console.log("Skipped: Restate is not installed (npm run prove:durable restate)");

/** A server of Restate in a folder of its own. */
export class RestateServer extends ServerProcess {
  ingress = "";
  admin = "";
  private bound: Readonly<Record<string, string>> = {};

  constructor() {
    super("restate");
  }

  /** Starts the server, again with the same data and ports. */
  async start(): Promise<void> {
    if (this.ingress === "") {
      const address = async () => `127.0.0.1:${await freePort()}`;
      const [ingress, admin, node] = [await address(), await address(), await address()];
      this.ingress = `http://${ingress}`;
      this.admin = `http://${admin}`;
      this.bound = {
        RESTATE_INGRESS__BIND_ADDRESS: ingress,
        RESTATE_ADMIN__BIND_ADDRESS: admin,
        RESTATE_BIND_ADDRESS: node,
      };
    }
    const quiet = { RESTATE_DISABLE_TELEMETRY: "true", RESTATE_ADMIN__DISABLE_WEB_UI: "true" };
    this.spawn(program, ["--listen-mode", "tcp", "--no-logo", "--base-dir", this.folder], {
      env: { ...process.env, ...quiet, ...this.bound },
      stdio: "ignore",
    });
    for (const url of [`${this.admin}/health`, `${this.ingress}/restate/health`]) {
      while (
        !(await fetch(url).then(
          ({ ok }) => ok,
          () => false,
        ))
      )
        await sleep(50);
    }
  }

  /** The steps that are recorded of the invocations of a service. */
  async recorded(service: string): Promise<string[]> {
    const query = `SELECT j.id, j.name, j.entry_lite_json FROM sys_journal j JOIN sys_invocation i ON i.id = j.id
      WHERE i.target_service_name = '${service}' AND j.entry_type IN ('Command: Run', 'Notification: Run')`;
    type Row = Readonly<Record<"id" | "name" | "entry_lite_json", string>>;
    const rows = await this.query<Row>(query);
    const ids = (text: string) => /"(?:completion_id|CompletionId)":(\d+)/.exec(text)?.[1];
    const ended = new Set(
      rows.filter(({ name }) => name === "").map((row) => `${row.id} ${ids(row.entry_lite_json)}`),
    );
    return rows
      .filter((row) => row.name !== "" && ended.has(`${row.id} ${ids(row.entry_lite_json)}`))
      .map(({ name }) => name);
  }

  /** The number of attempts at the invocation of a service. */
  async attempts(service: string): Promise<number> {
    const query = `SELECT retry_count FROM sys_invocation WHERE target_service_name = '${service}'`;
    const [row] = await this.query<{ readonly retry_count: number | null }>(query);
    return row?.retry_count ?? 0;
  }

  private async query<Row>(query: string): Promise<readonly Row[]> {
    const response = await fetch(`${this.admin}/query`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({ query }),
    });
    if (!response.ok) throw new Error(await response.text());
    return ((await response.json()) as { readonly rows: readonly Row[] }).rows;
  }
}
