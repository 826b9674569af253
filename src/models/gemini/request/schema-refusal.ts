import { type Refuse, refuseIn } from "../../request/request-errors.js";

/** Creates the error for an unsupported part of a schema. */
export const refuseSchema: Refuse = refuseIn(
  "the request",
  "expressed for Gemini",
  "With strict: false it is sent unchanged.",
);
