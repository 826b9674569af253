import { getTextContent } from "@copilotkit/aimock";
import { lastQuestion, type StandIn } from "../support/connect.js";

/** Calls both tools for a destination that it finds in the request, then plans with their results; else it asks. */
export const standIn: StandIn = (request) => {
  const city = /\b(?:in|to) ([A-Z]\p{L}+)/u.exec(lastQuestion(request))?.[1];
  if (city === undefined) {
    return call("Question", {
      question: "Where would you like to go?",
      suggestions: ["Bergen", "Lillehammer"],
    });
  }
  const results = request.messages.filter(({ role }) => role === "tool");
  if (results.length === 0) {
    const day = /\bon (\p{L}+)/u.exec(lastQuestion(request))?.[1] ?? "today";
    return {
      content: `Let me look up ${city}.`,
      toolCalls: [
        { name: "trains", arguments: JSON.stringify({ city }) },
        { name: "forecast", arguments: JSON.stringify({ city, day }) },
      ],
    };
  }
  const known = results.map(({ content }) => getTextContent(content) ?? "").join("\n");
  const depart = /\d\d:\d\d/.exec(known)?.[0];
  if (depart === undefined) {
    return call("Question", {
      question: `No train goes to ${city}. Where else?`,
      suggestions: ["Bergen", "Lillehammer"],
    });
  }
  const snow = known.includes("snow");
  return call("Trip", {
    destination: city,
    depart,
    pack: snow ? ["skis", "a thermos"] : ["a raincoat", "a book for the train"],
    reason: snow ? "The snow is fresh, and the day is clear." : "It rains, but the harbour is worth it.",
  });
};

function call(name: string, args: object): ReturnType<StandIn> {
  return { content: "", toolCalls: [{ name, arguments: JSON.stringify(args) }] };
}
