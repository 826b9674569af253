import { type HandleError, providerStrategy, toolStrategy } from "millrace";
import type { ModelAnswer } from "../conversation.js";
import { productRating } from "../schemas.js";
import { calls, type Example, says } from "./example.js";

/** The guard stops the answer where it becomes wrong, so that the rest of it is never read. */
const outOfRange: ModelAnswer = calls("c1", "ProductRating", { rating: 10, comment: "Good" });
const stopped = 'c1 = ProductRating?({"rating":10,")';

/** A rating of 10 out of 5, and each way to handle it. */
export const ratings: readonly Example[] = [
  rated(
    "a rating of 10 out of 5 is stopped where it stands, and corrected",
    true,
    'The response cannot satisfy the schema "ProductRating". Expected a number >= 1 and <= 5 at /rating, but got 10. Call the tool again, with the mistakes corrected.',
  ),
  rated(
    "a rating of 10 out of 5 is told in a text of one's own",
    "From 1 to 5, please.",
    "From 1 to 5, please.",
  ),
  rated(
    "a rating of 10 out of 5 is told by a function",
    (error) => `No: ${error.code} ${error.issues[0]?.pointer}.`,
    "No: invalid_response /rating.",
  ),
  rated(
    "a rating of 10 out of 5 is told by an asynchronous function",
    (error) => Promise.resolve(`Is ${error.names.join()} so hard?`),
    "Is ProductRating so hard?",
  ),
  {
    name: "a rating of 10 out of 5 ends the run where errors are not handled",
    options: { responseFormat: toolStrategy(productRating, { handleError: false }) },
    answers: [outOfRange],
    // Answered all the same, so that the run can be resumed.
    conversation: [
      [
        stopped,
        'c1 failed: The response cannot satisfy the schema "ProductRating". Expected a number >= 1 and <= 5 at /rating, but got 10.',
      ],
    ],
    error: {
      name: "AgentError",
      code: "invalid_response",
      names: ["ProductRating"],
      value: {},
      issues: [{ pointer: "/rating" }],
      message:
        'The response cannot satisfy the schema "ProductRating". Expected a number >= 1 and <= 5 at /rating, but got 10.',
    },
  },
  {
    name: "what the function for errors throws ends the run",
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
    name: "a wrong answer of the provider strategy is told by the user",
    options: { responseFormat: providerStrategy(productRating) },
    answers: [says('{"rating": 10, "comment": "Good"}'), says('{"rating": 5, "comment": "Good"}')],
    conversation: [
      [
        'assistant: {"rating": 10,',
        'user: The response cannot satisfy the schema "ProductRating". Expected a number >= 1 and <= 5 at /rating, but got 10. Answer with the whole JSON again, with the mistakes corrected, and nothing else.',
      ],
      ['assistant: {"rating": 5, "comment": "Good"}'],
    ],
    response: { rating: 5, comment: "Good" },
    asText: true,
  },
  {
    name: "an answer of the provider strategy that is no JSON is told so",
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
    name: "a wrong answer of the provider strategy ends the run where errors are not handled",
    options: { responseFormat: providerStrategy(productRating, { handleError: false }) },
    answers: [says('{"rating": 10, "comment": "Good"}')],
    conversation: [['assistant: {"rating": 10,']],
    error: { name: "AgentError", code: "invalid_response", value: {} },
    asText: true,
  },
  {
    name: "a response that stays wrong is asked for again as often as it may be, and no more",
    options: { responseFormat: toolStrategy(productRating, { handleError: "From 1 to 5." }), maxRetries: 1 },
    answers: [
      outOfRange,
      { toolCalls: [{ id: "c2", name: "ProductRating", arguments: "{}" }] },
      says("never asked"),
    ],
    conversation: [
      [stopped, "c1 failed: From 1 to 5."],
      ["c2 = ProductRating?({})", "c2 failed: From 1 to 5."],
    ],
    error: { name: "AgentError", code: "invalid_response" },
  },
];

/** A rating that is wrong, and right when the model was told so. */
function rated(name: string, handleError: HandleError, told: string): Example {
  return {
    name,
    options: { responseFormat: toolStrategy(productRating, { handleError }) },
    answers: [outOfRange, calls("c2", "ProductRating", { rating: 5, comment: "Good" })],
    conversation: [
      [stopped, `c1 failed: ${told}`],
      [
        'c2 = ProductRating({"rating":5,"comment":"Good"})',
        'c2: Returning structured response: {"rating":5,"comment":"Good"}',
      ],
    ],
    response: { rating: 5, comment: "Good" },
  };
}
