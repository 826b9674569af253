import { excerpt } from "./excerpt.js";
import { isInstance } from "./thrown.js";

/** The message of anything that was thrown. Never throws, although a getter may, and a proxy may be revoked. */
export function messageOf(thrown: unknown): string {
  try {
    const message: unknown = isInstance(thrown, Error) ? thrown.message : thrown;
    return typeof message === "string" ? message : excerpt(message);
  } catch {
    return "an error that cannot be read";
  }
}
