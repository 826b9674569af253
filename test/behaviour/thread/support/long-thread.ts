import { createAgent } from "millrace";
import { scriptedModel } from "millrace/testing";
import { fileThreads, thread, type ThreadError } from "millrace/thread";

/** Writes a short message and two long ones: `node long-thread.mjs FOLDER`. It prints what became of each. */

const [, , folder = ""] = process.argv;
const agent = createAgent({ model: scriptedModel(["OK."]) });
for (const text of ["Hi.", "x".repeat(9_000), "y".repeat(9_000)]) {
  const chat = await thread(agent, { store: fileThreads(folder), id: "1" });
  try {
    for await (const _ of chat.stream(text));
    console.log("saved");
  } catch (error) {
    console.log((error as ThreadError).code);
  }
}
