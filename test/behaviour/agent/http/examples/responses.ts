import { providerStrategy, toolStrategy } from "millrace/agent";
import { complaint, contactInfo, meetingAction, productReview } from "../schemas.js";
import { calls, type Example, says } from "./example.js";

/** The model answers with a valid response. */
export const responses: readonly Example[] = [
  {
    name: "contact info, with the strategy of the model's profile",
    options: { responseFormat: contactInfo },
    answers: [says('{"name": "Ada Byron", "email": "ada@analytical.example", "phone": "555-0101"}')],
    conversation: [
      ['assistant: {"name": "Ada Byron", "email": "ada@analytical.example", "phone": "555-0101"}'],
    ],
    response: { name: "Ada Byron", email: "ada@analytical.example", phone: "555-0101" },
    asText: true,
  },
  {
    name: "contact info from a provider that writes null for an absent field, with prose and a code fence around it",
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
    name: "a product review as a tool call",
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
    name: "a review or a complaint: the model chooses",
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
    name: "a meeting action with a custom tool message",
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
