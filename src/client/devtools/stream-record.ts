import { cut } from "../../text/cut.js";
import { jsonText } from "../../text/json-text.js";
import { type AnyPatchOperation, operandOf } from "../../json/patch/patch.js";
import type { ClientEvent } from "../from-event-stream.js";
import { emptyReport, type RunReport } from "./run-report.js";

/** The counts of a stream's current run. */
export class StreamRecord {
  readonly name: string;
  status: "idle" | "streaming" | "reconnecting" | "done" | "stopped" | "error" = "idle";
  error = "";
  patches = 0;
  bytes = 0;
  renders = 0;
  reconnects = 0;
  report: RunReport = emptyReport;
  readonly operations: string[] = [];
  private start = 0;
  private end = 0;
  /** The failure in the value of a conversation, which also ends with `done`. */
  private problem = "";

  constructor(name: string) {
    this.name = name;
  }

  /** Milliseconds from the answer of the server to the end, or to now. */
  get duration(): number {
    return this.start === 0 ? 0 : (this.end || performance.now()) - this.start;
  }

  /** Forgets the run before. */
  begin(): void {
    this.problem = "";
    this.become("streaming", 0);
    this.patches = this.bytes = this.renders = this.reconnects = 0;
    this.operations.length = 0;
    this.report = emptyReport;
    this.start = performance.now();
  }

  add(event: ClientEvent): void {
    switch (event.type) {
      case "open":
        if (this.status === "reconnecting") this.become("streaming", 0);
        else this.begin();
        break;
      case "retry":
        this.status = "reconnecting";
        this.reconnects++;
        break;
      case "patch":
        this.addPatch(event.patch);
        break;
      case "done":
        this.become(event.reason === "stopped" ? "stopped" : "done");
        break;
      case "error":
        this.become("error");
        this.error = `${event.code}: ${event.message}`;
        break;
      case "stop_failed":
        this.error = `Not stopped: ${event.error.message}`;
    }
  }

  private addPatch(patch: readonly AnyPatchOperation[]): void {
    this.patches++;
    this.bytes += new TextEncoder().encode(jsonOf(patch)).length;
    for (const operation of patch) {
      const { op, path } = operation;
      const value = operandOf(operation);
      if (path === "/error") this.problem = problemText(value);
      else if (path === "") this.problem = problemText((Object(value) as { readonly error?: unknown }).error);
      this.operations.push(`${op} ${path === "" ? "(root)" : path} ${shortJson(value)}`);
    }
    this.operations.splice(0, this.operations.length - maxOperations);
  }

  private become(status: StreamRecord["status"], end = performance.now()): void {
    this.status = status;
    this.error = this.problem;
    this.end = end;
  }
}

const maxOperations = 50;

/** The code and the message of `{ code, message }`. */
function problemText(value: unknown): string {
  const { code, message } = Object(value) as Readonly<Record<string, unknown>>;
  return typeof code === "string" && typeof message === "string" ? `${code}: ${message}` : "";
}

/** A value as JSON of at most 120 characters. */
export function shortJson(value: unknown): string {
  return cut(jsonOf(value), 120);
}

/** `JSON.stringify()` recurses, and a server may send any depth. The other writer takes longer. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "nothing";
  } catch {
    return jsonText(value).text;
  }
}
