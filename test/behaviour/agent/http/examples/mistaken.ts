import { toolStrategy } from "millrace/agent";
import type { ModelAnswer } from "../conversation.js";
import { contactInfo, eventDetails, tripDates } from "../schemas.js";
import { calls, type Example, says } from "./example.js";

const bothAtOnce: ModelAnswer = {
  toolCalls: [
    { id: "c1", name: "ContactInfo", arguments: '{"name":"Ada","email":"ada@x.example"}' },
    { id: "c2", name: "EventDetails", arguments: '{"title":"Fair","date":"2026-03-15"}' },
  ],
};

/** The model answers with something other than one structured response. */
export const mistaken: readonly Example[] = [
  {
    name: "a contact and an event at once: both calls get the error, then the model sends one response",
    options: { responseFormat: toolStrategy([contactInfo, eventDetails]) },
    answers: [bothAtOnce, calls("c3", "ContactInfo", { name: "Ada", email: "ada@x.example" })],
    conversation: [
      [
        'c1 = ContactInfo({"name":"Ada","email":"ada@x.example"})',
        'c2 = EventDetails({"title":"Fair","date":"2026-03-15"})',
        ...["c1", "c2"].map(
          (id) =>
            new RegExp(`^${id}( failed)?: .*ContactInfo, EventDetails.*"ContactInfo" or "EventDetails"`),
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
    name: "handleError can distinguish errors by their code",
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
    name: "a refinement of the schema is checked when the call is complete",
    options: { responseFormat: toolStrategy(tripDates) },
    answers: [
      calls("c1", "TripDates", { from: "2026-05-02", to: "2026-05-01" }),
      calls("c2", "TripDates", { from: "2026-05-01", to: "2026-05-02" }),
    ],
    conversation: [
      [
        'c1 = TripDates({"from":"2026-05-02","to":"2026-05-01"})',
        /^c1( failed)?: .*"TripDates".*The end is before the beginning\. .*tool/,
      ],
      [
        'c2 = TripDates({"from":"2026-05-01","to":"2026-05-02"})',
        'c2: Returning structured response: {"from":"2026-05-01","to":"2026-05-02"}',
      ],
    ],
    response: { from: "2026-05-01", to: "2026-05-02" },
  },
  {
    name: "after a text answer, the model is asked to call the tool",
    options: { responseFormat: toolStrategy([contactInfo, eventDetails]) },
    answers: [says("It is Ada."), calls("c1", "ContactInfo", { name: "Ada", email: "ada@x.example" })],
    conversation: [
      [
        "assistant: It is Ada.",
        /^user: .*"ContactInfo" or "EventDetails".*tool "ContactInfo" or "EventDetails"/,
      ],
      [
        'c1 = ContactInfo({"name":"Ada","email":"ada@x.example"})',
        'c1: Returning structured response: {"name":"Ada","email":"ada@x.example"}',
      ],
    ],
    response: { name: "Ada", email: "ada@x.example" },
  },
  {
    name: "a model that never calls the tool is asked again maxRetries times",
    options: { responseFormat: toolStrategy(contactInfo, { handleError: "The tool!" }), maxRetries: 2 },
    answers: [says("It is Ada."), says("Ada, I said."), says("Ada!"), says("never requested")],
    conversation: [
      ["assistant: It is Ada.", "user: The tool!"],
      ["assistant: Ada, I said.", "user: The tool!"],
      ["assistant: Ada!", "user: The tool!"],
    ],
    error: { name: "AgentError", code: "no_response", names: ["ContactInfo"], finishReason: "stop" },
  },
];
