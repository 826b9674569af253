import { Builder } from "../../../json/build/builder.js";
import type { Visibility } from "../../../json/handler.js";
import { PassingHandler, tell } from "../../../json/passing.js";
import { isContainer, type JsonValue } from "../../../json/value.js";
import type { CoercingGuard } from "./coercing-guard.js";

/**
 * Stands in front of a coercing guard, and builds the containers that the guard reads only as a whole.
 *
 * Where a number is expected, `[5]` gives `opens(true)`, which the guard declines. The builder gets `open(true)`,
 * `leaf(5)` and `close()`, and the guard `readContainer([5])`.
 */
export class WholeContainers extends PassingHandler {
  private readonly guard: CoercingGuard;
  private builder: Builder | undefined;
  /** How many of the containers that are built are open. */
  private depth = 0;

  constructor(guard: CoercingGuard) {
    super(guard);
    this.guard = guard;
  }

  override open(isArray: boolean, hidden?: boolean): void {
    if (this.depth === 0) {
      if (this.guard.opens(isArray, hidden)) return;
      this.next = this.builder ??= new Builder({});
    }
    this.depth++;
    super.open(isArray);
  }

  override close(): void {
    super.close();
    if (this.depth === 0 || --this.depth > 0) return;
    const value = this.next.snapshot() as JsonValue;
    this.next = this.guard;
    this.guard.readContainer(value);
  }

  override leaf(value: JsonValue): void {
    if (isContainer(value)) tell(value, this);
    else super.leaf(value);
  }

  override pointer(inChild: boolean): string {
    return this.depth === 0 ? super.pointer(inChild) : this.guard.pointer(true) + super.pointer(inChild);
  }

  override snapshot(): JsonValue | undefined {
    return this.guard.snapshot();
  }

  override visibility(): Visibility {
    return this.depth === 0 ? super.visibility() : "withheld";
  }
}
