import type { Clock } from "millrace";
import type { JsonPatch, JsonPatchOperation, JsonValue } from "millrace/json";
import type { End, Point, RefusedLine, Repair, Trace } from "../protocol.js";

/** Writes the `Trace` document as patches, at most 25 per second. */
export class TraceWriter {
  private readonly clock: Clock;
  private readonly total: number | null;
  private text = "";
  private repairs: Repair[] = [];
  private refused: RefusedLine[] = [];
  private points: Point[] = [];
  private point: Point | undefined;
  private end: End | undefined;
  private wake: () => void = () => {};

  constructor(total: number | null, clock: Clock) {
    this.total = total;
    this.clock = clock;
  }

  /** Adds a chunk's text and measurements. */
  chunk(text: string, point: Point): void {
    this.text += text;
    this.point = point;
    this.wake();
  }

  repair(repair: Repair): void {
    this.repairs.push(repair);
    this.wake();
  }

  refuse(line: RefusedLine): void {
    this.refused.push(line);
    this.wake();
  }

  /** Records the outcome. No other method may be called afterwards. */
  close(end: End): void {
    this.end = end;
    this.wake();
  }

  async *patches(): AsyncGenerator<JsonPatch, void, undefined> {
    const nothingYet: Trace = {
      text: "",
      total: this.total,
      points: [],
      repairs: [],
      refused: [],
      end: null,
    };
    yield [{ op: "replace", path: "", value: nothingYet as unknown as JsonValue }];
    for (;;) {
      const { end } = this;
      const patch = this.take();
      if (patch.length > 0) yield patch;
      if (end !== undefined) return;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        if (this.isEmpty()) return;
        resolve();
      });
      if (this.end === undefined) await this.frame();
    }
  }

  private isEmpty(): boolean {
    const { point, repairs, refused, end } = this;
    return point === undefined && repairs.length === 0 && refused.length === 0 && end === undefined;
  }

  /** Waits 40 ms to combine changes into one patch. The end of the run ends the wait. */
  private async frame(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = this.clock.setTimeout(resolve, frameInterval);
      this.wake = () => {
        if (this.end === undefined) return;
        this.clock.clearTimeout(timer);
        resolve();
      };
    });
  }

  private take(): JsonPatchOperation[] {
    const patch: JsonPatchOperation[] = [];
    if (this.text !== "") patch.push({ op: "append", path: "/text", value: this.text });
    if (this.point !== undefined) patch.push(this.takePoint(this.point));
    for (const repair of this.repairs) patch.push(added("/repairs/-", repair));
    for (const line of this.refused) patch.push(added("/refused/-", line));
    if (this.end !== undefined)
      patch.push({ op: "replace", path: "/end", value: this.end as unknown as JsonValue });
    this.text = "";
    this.point = undefined;
    this.repairs = [];
    this.refused = [];
    return patch;
  }

  private takePoint(point: Point): JsonPatchOperation {
    this.points.push(point);
    if (this.points.length <= maxPoints) return added("/points/-", point);
    this.points = this.points.filter((_, i) => i % 2 === 0);
    // A copy, because patches must not change after they are emitted.
    return { op: "replace", path: "/points", value: [...this.points] as unknown as JsonValue };
  }
}

const frameInterval = 40;
/** More points than a chart has pixels. Even, so that thinning out 601 points keeps the last one. */
const maxPoints = 600;

function added(path: string, value: object): JsonPatchOperation {
  return { op: "add", path, value: value as JsonValue };
}
