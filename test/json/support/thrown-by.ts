import { JsonParseError } from "millrace/json";

/** The parser's error that the action throws. */
export function thrownBy(action: () => void): JsonParseError {
  try {
    action();
  } catch (error) {
    if (error instanceof JsonParseError) return error;
    throw error;
  }
  throw new Error("Nothing was thrown.");
}
