import { excerpt } from "./excerpt.js";

/** The message of anything that was thrown. Never throws, although a getter may, and a proxy may be revoked. */
export function messageOf(thrown: unknown): string {
  try {
    const message: unknown = thrown instanceof Error ? thrown.message : thrown;
    return typeof message === "string" ? message : excerpt(message);
  } catch {
    return "an error that cannot be read";
  }
}

/** A field of anything that was thrown. `undefined` if reading it fails. */
export function fieldOf(thrown: unknown, key: string): unknown {
  try {
    return (Object(thrown) as Readonly<Record<string, unknown>>)[key];
  } catch {
    return undefined;
  }
}
