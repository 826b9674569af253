import { type Refuse, refuseIn } from "../../request/request-errors.js";

/** The error for what Gemini cannot be told in a schema. */
export const refusal: Refuse = refuseIn(
  "the request",
  "expressed for Gemini",
  "With strict: false it is sent as it is.",
);
