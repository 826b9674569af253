import { toolStrategy } from "millrace";
import type { ModelAnswer } from "../conversation.js";
import { contactInfo, eventDetails, tripDates } from "../schemas.js";
import { calls, type Example, says } from "./example.js";

const bothAtOnce: ModelAnswer = {
  toolCalls: [
    { id: "c1", name: "ContactInfo", arguments: '{"name":"Ada","email":"ada@x.example"}' },
    { id: "c2", name: "EventDetails", arguments: '{"title":"Fair","date":"2026-03-15"}' },
  ],
};

/** The model gives something else than the one structured response that is wanted. */
export const mistaken: readonly Example[] = [
  {
    name: "a contact and an event at once: each is answered with the error that names both, then one comes",
    options: { responseFormat: toolStrategy([contactInfo, eventDetails]) },
    answers: [bothAtOnce, calls("c3", "ContactInfo", { name: "Ada", email: "ada@x.example" })],
    conversation: [
      [
        'c1 = ContactInfo({"name":"Ada","email":"ada@x.example"})',
        'c2 = EventDetails({"title":"Fair","date":"2026-03-15"})',
        ...["c1", "c2"].map(
          (id) =>
            `${id} failed: The model gave several structured responses at once (ContactInfo, EventDetails), but one is wanted. Call "ContactInfo" or "EventDetails" again, only one of them, and only once.`,
        ),
      ],
      [
        'c3 = ContactInfo({"name":"Ada","email":"ada@x.example"})',
        'c3: Returning structured response: {"name":"Ada","email":"ada@x.example"}',
      ],
    ],
    response: { name: "Ada", email: "ada@x.example" },
  },
  {
    name: "a function tells one error from another",
    options: {
      responseFormat: toolStrategy([contactInfo, eventDetails], {
        handleError: ({ code, names }) => `${code}: ${names.join(" and ")}`,
      }),
    },
    answers: [
      bothAtOnce,
      says("It is Ada."),
      calls("c3", "EventDetails", { title: "Fair", date: "in March" }),
      calls("c4", "EventDetails", { title: "Fair", date: "2026-03-15" }),
    ],
    conversation: [
      [
        'c1 = ContactInfo({"name":"Ada","email":"ada@x.example"})',
        'c2 = EventDetails({"title":"Fair","date":"2026-03-15"})',
        "c1 failed: several_responses: ContactInfo and EventDetails",
        "c2 failed: several_responses: ContactInfo and EventDetails",
      ],
      ["assistant: It is Ada.", "user: no_response: ContactInfo and EventDetails"],
      ['c3 = EventDetails?({"title":"Fair","date":"in March"})', "c3 failed: invalid_response: EventDetails"],
      [
        'c4 = EventDetails({"title":"Fair","date":"2026-03-15"})',
        'c4: Returning structured response: {"title":"Fair","date":"2026-03-15"}',
      ],
    ],
    response: { title: "Fair", date: "2026-03-15" },
  },
  {
    name: "a rule that only the schema itself knows is told as well, with the whole call before it",
    options: { responseFormat: toolStrategy(tripDates) },
    answers: [
      calls("c1", "TripDates", { from: "2026-05-02", to: "2026-05-01" }),
      calls("c2", "TripDates", { from: "2026-05-01", to: "2026-05-02" }),
    ],
    conversation: [
      [
        'c1 = TripDates({"from":"2026-05-02","to":"2026-05-01"})',
        'c1 failed: The response does not satisfy the schema "TripDates". the root: The end is before the beginning. Call the tool again, with the mistakes corrected.',
      ],
      [
        'c2 = TripDates({"from":"2026-05-01","to":"2026-05-02"})',
        'c2: Returning structured response: {"from":"2026-05-01","to":"2026-05-02"}',
      ],
    ],
    response: { from: "2026-05-01", to: "2026-05-02" },
  },
  {
    name: "a text is told to use the tool",
    options: { responseFormat: toolStrategy([contactInfo, eventDetails]) },
    answers: [says("It is Ada."), calls("c1", "ContactInfo", { name: "Ada", email: "ada@x.example" })],
    conversation: [
      [
        "assistant: It is Ada.",
        'user: The model answered without a structured response: expected a call of "ContactInfo" or "EventDetails". Answer by calling the tool "ContactInfo" or "EventDetails".',
      ],
      [
        'c1 = ContactInfo({"name":"Ada","email":"ada@x.example"})',
        'c1: Returning structured response: {"name":"Ada","email":"ada@x.example"}',
      ],
    ],
    response: { name: "Ada", email: "ada@x.example" },
  },
  {
    name: "a model that never calls the tool is asked again as often as it may be, and no more",
    options: { responseFormat: toolStrategy(contactInfo, { handleError: "The tool!" }), maxRetries: 2 },
    answers: [says("It is Ada."), says("Ada, I said."), says("Ada!"), says("never asked")],
    conversation: [
      ["assistant: It is Ada.", "user: The tool!"],
      ["assistant: Ada, I said.", "user: The tool!"],
      ["assistant: Ada!", "user: The tool!"],
    ],
    error: { name: "AgentError", code: "no_response", names: ["ContactInfo"], finishReason: "stop" },
  },
];
