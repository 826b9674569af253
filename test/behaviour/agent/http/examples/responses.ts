import { providerStrategy, toolStrategy } from "millrace";
import { complaint, contactInfo, meetingAction, productReview } from "../schemas.js";
import { calls, type Example, says } from "./example.js";

/** The model answers as it should. */
export const responses: readonly Example[] = [
  {
    name: "contact info, by the strategy that the model's profile says",
    options: { responseFormat: contactInfo },
    answers: [says('{"name": "Ada Byron", "email": "ada@analytical.example", "phone": "555-0101"}')],
    conversation: [
      ['assistant: {"name": "Ada Byron", "email": "ada@analytical.example", "phone": "555-0101"}'],
    ],
    response: { name: "Ada Byron", email: "ada@analytical.example", phone: "555-0101" },
    asText: true,
  },
  {
    name: "contact info from the provider, which writes null where there is nothing, within prose and a fence",
    options: { responseFormat: providerStrategy(contactInfo, { strict: true }) },
    answers: [
      says('Here it is:\n```json\n{"name": "Bo", "email": "bo@x.example", "phone": null}\n```\nBye.'),
    ],
    conversation: [
      ['assistant: Here it is:\n```json\n{"name": "Bo", "email": "bo@x.example", "phone": null}\n```\nBye.'],
    ],
    response: { name: "Bo", email: "bo@x.example" },
    asText: true,
  },
  {
    name: "a product review, by a tool",
    options: { responseFormat: toolStrategy(productReview) },
    answers: [
      calls("c1", "ProductReview", { rating: 5, sentiment: "positive", keyPoints: ["fast", "a bit dear"] }),
    ],
    conversation: [
      [
        'c1 = ProductReview({"rating":5,"sentiment":"positive","keyPoints":["fast","a bit dear"]})',
        'c1: Returning structured response: {"rating":5,"sentiment":"positive","keyPoints":["fast","a bit dear"]}',
      ],
    ],
    response: { rating: 5, sentiment: "positive", keyPoints: ["fast", "a bit dear"] },
  },
  {
    name: "a review or a complaint, whichever the model finds",
    options: { responseFormat: [productReview, complaint] },
    answers: [calls("c1", "CustomerComplaint", { issue: "shipping", severity: "high" })],
    conversation: [
      [
        'c1 = CustomerComplaint({"issue":"shipping","severity":"high"})',
        'c1: Returning structured response: {"issue":"shipping","severity":"high"}',
      ],
    ],
    response: { issue: "shipping", severity: "high" },
  },
  {
    name: "a meeting action with a tool message of one's own",
    options: { responseFormat: toolStrategy(meetingAction, { toolMessageContent: "It is in the minutes." }) },
    answers: [calls("c1", "MeetingAction", { task: "Call Oslo", assignee: "Bo", priority: "high" })],
    conversation: [
      [
        'c1 = MeetingAction({"task":"Call Oslo","assignee":"Bo","priority":"high"})',
        "c1: It is in the minutes.",
      ],
    ],
    response: { task: "Call Oslo", assignee: "Bo", priority: "high" },
  },
];
