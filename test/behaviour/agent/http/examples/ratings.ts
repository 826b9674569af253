import { type HandleError, providerStrategy, toolStrategy } from "millrace/agent";
import type { ModelAnswer } from "../conversation.js";
import { productRating } from "../schemas.js";
import { calls, type Example, type Line, says } from "./example.js";

/** The guard stops the answer at the invalid value. The rest of it is never read. */
const outOfRange: ModelAnswer = calls("c1", "ProductRating", { rating: 10, comment: "Good" });
const stopped = 'c1 = ProductRating?({"rating":10,")';

/** A rating of 10 out of 5 with each kind of handleError. */
export const ratings: readonly Example[] = [
  rated(
    "a rating of 10 out of 5 is stopped and corrected",
    true,
    /^c1( failed)?: .*"ProductRating".* at \/rating, .*10.*tool/,
  ),
  rated("handleError is a string", "From 1 to 5, please.", "c1 failed: From 1 to 5, please."),
  rated(
    "handleError is a function",
    (error) => `No: ${error.code} ${error.issues[0]?.pointer}.`,
    "c1 failed: No: invalid_response /rating.",
  ),
  rated(
    "handleError is an asynchronous function",
    (error) => Promise.resolve(`Is ${error.names.join()} so hard?`),
    "c1 failed: Is ProductRating so hard?",
  ),
  {
    name: "with handleError: false, a rating of 10 out of 5 ends the run",
    options: { responseFormat: toolStrategy(productRating, { handleError: false }) },
    answers: [outOfRange],
    // The call is answered anyway, so the run can be resumed.
    conversation: [[stopped, /^c1( failed)?: .*"ProductRating".* at \/rating, .*10/]],
    error: {
      name: "AgentError",
      code: "invalid_response",
      names: ["ProductRating"],
      value: {},
      issues: [{ pointer: "/rating" }],
    },
  },
  {
    name: "an error that handleError throws ends the run",
    options: {
      responseFormat: toolStrategy(productRating, {
        handleError: (error) => {
          throw error.code === "invalid_response" ? new RangeError("enough") : error;
        },
      }),
    },
    answers: [outOfRange],
    conversation: [[stopped]],
    error: { name: "RangeError", message: "enough" },
  },
  {
    name: "after an invalid text of the provider strategy, a user message asks again",
    options: { responseFormat: providerStrategy(productRating) },
    answers: [says('{"rating": 10, "comment": "Good"}'), says('{"rating": 5, "comment": "Good"}')],
    conversation: [
      ['assistant: {"rating": 10, "comme', /^user: .*"ProductRating".* at \/rating, .*10.*JSON/],
      ['assistant: {"rating": 5, "comment": "Good"}'],
    ],
    response: { rating: 5, comment: "Good" },
    asText: true,
  },
  {
    name: "after a text without JSON, the model is asked again",
    options: { responseFormat: providerStrategy(productRating, { handleError: "JSON, please." }) },
    answers: [says("Five of five."), says('{"rating": 5, "comment": "Good"}')],
    conversation: [
      ["assistant: Five of five.", "user: JSON, please."],
      ['assistant: {"rating": 5, "comment": "Good"}'],
    ],
    response: { rating: 5, comment: "Good" },
    asText: true,
  },
  {
    name: "with handleError: false, an invalid text of the provider strategy ends the run",
    options: { responseFormat: providerStrategy(productRating, { handleError: false }) },
    answers: [says('{"rating": 10, "comment": "Good"}')],
    conversation: [['assistant: {"rating": 10, "comme']],
    error: { name: "AgentError", code: "invalid_response", value: {} },
    asText: true,
  },
  {
    name: "a response that remains invalid is asked for again maxRetries times",
    options: { responseFormat: toolStrategy(productRating, { handleError: "From 1 to 5." }), maxRetries: 1 },
    answers: [
      outOfRange,
      { toolCalls: [{ id: "c2", name: "ProductRating", arguments: "{}" }] },
      says("never requested"),
    ],
    conversation: [
      [stopped, "c1 failed: From 1 to 5."],
      ["c2 = ProductRating?({})", "c2 failed: From 1 to 5."],
    ],
    error: { name: "AgentError", code: "invalid_response" },
  },
];

/** An invalid rating, then a valid one. */
function rated(name: string, handleError: HandleError, correction: Line): Example {
  return {
    name,
    options: { responseFormat: toolStrategy(productRating, { handleError }) },
    answers: [outOfRange, calls("c2", "ProductRating", { rating: 5, comment: "Good" })],
    conversation: [
      [stopped, correction],
      [
        'c2 = ProductRating({"rating":5,"comment":"Good"})',
        'c2: Returning structured response: {"rating":5,"comment":"Good"}',
      ],
    ],
    response: { rating: 5, comment: "Good" },
  };
}
