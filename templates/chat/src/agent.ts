import { setTimeout as pause } from "node:timers/promises";
import { createAgent, tool } from "millrace";
import { humanApproval } from "millrace/agent";
import { z } from "zod";
import { model } from "./model.ts";

const findTables = tool({
  name: "find_tables",
  description: "Finds restaurants with a free table tonight.",
  schema: z.object({ people: z.int().min(1).max(12) }),
  // What it yields is shown as progress; what it returns is for the model.
  run: async function* ({ people }) {
    const found = [];
    for (const [restaurant, time] of [
      ["Café Luz", "19:30"],
      ["Trattoria Ada", "20:15"],
    ]) {
      yield `Asking ${restaurant} …`;
      await pause(700);
      found.push({ restaurant, time, people });
    }
    return found;
  },
});

const bookTable = tool({
  name: "book_table",
  description: "Books a table for tonight.",
  schema: z.object({ restaurant: z.string(), time: z.string(), people: z.int().min(1).max(12) }),
  run: ({ restaurant, time, people }) => `Booked: ${restaurant} at ${time}, for ${people}.`,
});

export const agent = createAgent({
  model,
  system: "You find a table in a restaurant for tonight, and book it. Answer in a few friendly sentences.",
  tools: [findTables, bookTable],
  middleware: [humanApproval({ tools: ["book_table"] })], // waits until the user agrees
  // Dollars per million tokens, from the page of your provider. The chat shows the cost then:
  // prices: { "gpt-6.1-terra": { input: 1, output: 4 } },
});
