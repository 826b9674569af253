import type { ClientEvent } from "millrace/client";
import type { AnyPatchOperation } from "millrace/json";
import { count } from "../counts.js";

/** A line in the list of patches. */
export type WireRow =
  | {
      readonly kind: "operation";
      readonly key: number;
      readonly event: string;
      readonly operation: AnyPatchOperation;
    }
  | {
      readonly kind: "note";
      readonly key: number;
      readonly tone: "plain" | "lost" | "back" | "bad";
      readonly text: string;
      /** When the page connects again, by `performance.now()`. */
      readonly until?: number;
    };

export interface WireState {
  /** The last rows. */
  readonly rows: readonly WireRow[];
  readonly patches: number;
  /** The last note about a lost or restored connection. */
  readonly connection: Extract<WireRow, { kind: "note" }> | undefined;
}

/** Logs the patches and connection events. Keeps the last rows and notifies listeners once per animation frame. */
export class WireLog {
  private state: WireState = { rows: [], patches: 0, connection: undefined };
  private rows: WireRow[] = [];
  private patches = 0;
  private lastId = "";
  private lost = false;
  private connection: WireState["connection"];
  private key = 0;
  private frame: number | undefined;
  private readonly listeners = new Set<() => void>();

  readonly onEvent = (event: ClientEvent): void => {
    switch (event.type) {
      case "open":
        this.note(
          this.lost ? "back" : "plain",
          this.lost ? `Connected again: resumes after event ${this.number}` : "Connected",
        );
        this.lost = false;
        break;
      case "retry": {
        this.lost = true;
        this.note(
          "lost",
          `Connection lost after event ${this.number}. Trying again in ${Math.round(event.delay)} ms`,
          performance.now() + event.delay,
        );
        break;
      }
      case "patch":
        this.arrived(Number(numberOf(event.id)));
        this.lastId = event.id;
        for (const operation of event.patch)
          this.rows.push({ kind: "operation", key: this.key++, event: numberOf(event.id), operation });
        break;
      case "done":
        this.note(
          "plain",
          event.reason === "stopped" ? "Stopped" : `Complete after ${count(this.patches)} patches`,
        );
        break;
      case "error":
        this.note("bad", "The run ended with an error");
        break;
      case "stop_failed":
        this.note("bad", `Not stopped: ${event.error.message}`);
    }
    if (this.rows.length > 2 * maxRows) this.rows = this.rows.slice(-maxRows);
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.state = { rows: this.rows.slice(-maxRows), patches: this.patches, connection: this.connection };
      for (const listener of this.listeners) listener();
    });
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly getState = (): WireState => this.state;

  /** A late reader receives all earlier patches as one patch. */
  private arrived(number: number): void {
    if (number > this.patches + 1)
      this.note("back", `Received all events up to ${count(number)} as one patch`);
    this.patches = number;
  }

  private get number(): string {
    return this.lastId === "" ? "0" : numberOf(this.lastId);
  }

  private note(tone: Extract<WireRow, { kind: "note" }>["tone"], text: string, until?: number): void {
    const note = {
      kind: "note",
      key: this.key++,
      tone,
      text,
      ...(until !== undefined && { until }),
    } as const;
    this.rows.push(note);
    if (tone === "lost" || tone === "back") this.connection = note;
  }
}

const maxRows = 240;

/** The event number: the part of the id before the first `-`. The rest is internal to the server. */
function numberOf(id: string): string {
  return id.split("-", 1)[0] ?? "";
}
