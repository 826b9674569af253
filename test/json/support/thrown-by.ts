import { JsonParseError } from "millrace";

/** The error of the parser that ends the action. */
export function thrownBy(action: () => void): JsonParseError {
  try {
    action();
  } catch (error) {
    if (error instanceof JsonParseError) return error;
    throw error;
  }
  throw new Error("Nothing was thrown.");
}
