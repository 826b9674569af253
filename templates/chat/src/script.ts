import { setTimeout as pause } from "node:timers/promises";
import { type JsonObject, textOf } from "millrace";
import type { ScriptedCall, ScriptItem } from "millrace/testing";

/** Finds and books a table at the pace of a model. Delete it once you have a key. */
export async function* script({ messages }: ScriptedCall): AsyncGenerator<ScriptItem> {
  const { text, call } = answerTo(messages);
  for (const piece of text.match(/\S+\s*/g) ?? []) {
    await pause(50);
    yield piece;
  }
  if (call) {
    const id = `${call.name}-${messages.length}`;
    yield { content: [{ type: "tool_call", id, ...call }] };
  }
  const inputTokens = Math.ceil(messages.map(textOf).join("").length / 4);
  yield { content: [], usage: { inputTokens, outputTokens: Math.ceil(text.length / 4) } };
}

interface Answer {
  text: string;
  call?: { name: string; args: JsonObject };
}

function answerTo(messages: ScriptedCall["messages"]): Answer {
  const last = messages.at(-1)!;
  const asked = messages.findLast(({ role }) => role === "user");
  const said = asked ? textOf(asked) : "";
  const people = /\b(?:four|4)\b/.test(said) ? 4 : 2;
  if (last.role !== "tool") {
    if (!/table|book|eat|dinner|restaurant/i.test(said)) {
      return { text: "I am only a script, and know one thing: ask me for a table for two tonight." };
    }
    return {
      text: `I'll look for a table for ${people} tonight.`,
      call: { name: "find_tables", args: { people } },
    };
  }
  if (last.toolCallId.startsWith("find_tables")) {
    return {
      text: "Café Luz has a table at 19:30, and Trattoria Ada one at 20:15. The first is quieter. Shall I book it?",
      call: { name: "book_table", args: { restaurant: "Café Luz", time: "19:30", people } },
    };
  }
  if (last.status === "error") return { text: "All right, I have not booked anything." };
  return { text: "Your table is booked: Café Luz, tonight at 19:30. Enjoy your evening!" };
}
