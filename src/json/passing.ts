import type { JsonHandler, JsonListener, Visibility } from "./handler.js";
import type { JsonValue } from "./value.js";

/** Passes everything on to the next handler. Extended by handlers that do more. */
export class PassingHandler implements JsonListener {
  protected next: JsonListener;

  constructor(next: JsonListener) {
    this.next = next;
  }

  open(isArray: boolean, hidden?: boolean): void {
    this.next.open(isArray, hidden);
  }

  reveal(): void {
    this.next.reveal();
  }

  close(): void {
    this.next.close();
  }

  key(key: string): void {
    this.next.key(key);
  }

  begin(kinds: number): void {
    this.next.begin(kinds);
  }

  show(value: number | boolean | null): void {
    this.next.show(value);
  }

  text(piece: string, final: boolean): void {
    this.next.text(piece, final);
  }

  leaf(value: JsonValue): void {
    this.next.leaf(value);
  }

  pointer(inChild: boolean): string {
    return this.next.pointer(inChild);
  }

  snapshot(): JsonValue | undefined {
    return this.next.snapshot();
  }

  container(): JsonValue {
    return this.next.container();
  }

  hasKeys(count: number): boolean {
    return this.next.hasKeys(count);
  }

  knowsKey(key: string): boolean | undefined {
    return this.next.knowsKey?.(key);
  }

  mayBeKeyAround(text: string, isWhole: boolean): boolean {
    return this.next.mayBeKeyAround?.(text, isWhole) ?? true;
  }

  allowsElement(kind: number): boolean {
    return this.next.allowsElement?.(kind) ?? true;
  }

  expectsList(): boolean {
    return this.next.expectsList?.() === true;
  }

  expectsMember(): boolean {
    return this.next.expectsMember?.() ?? true;
  }

  visibility(): Visibility {
    return this.next.visibility?.() ?? "shown";
  }

  awaitsElement(): boolean {
    return this.next.awaitsElement?.() === true;
  }
}

/** Tells a handler a complete value part by part. */
export function tell(value: JsonValue, handler: JsonHandler): void {
  if (typeof value === "string") handler.text(value, true);
  else if (typeof value !== "object" || value === null) handler.leaf(value);
  else {
    handler.open(Array.isArray(value));
    for (const [key, part] of Object.entries(value)) {
      if (!Array.isArray(value)) handler.key(key);
      tell(part, handler);
    }
    handler.close();
  }
}
