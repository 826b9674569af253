import type { AgentEvent, JsonValue } from "millrace";
import { applyPatch } from "millrace/json";
import type { Answer } from "./schemas.js";

/** The response so far. */
let shown: JsonValue = null;

/** One line for what is worth one. The compiler says if an event of a later version is forgotten here. */
export function print(event: AgentEvent<Answer>): void {
  switch (event.type) {
    case "step":
      console.log(`\nstep ${event.step}`);
      return;
    case "text":
    case "reasoning":
      console.log(`  ${event.type} ${JSON.stringify(event.delta)}`);
      return;
    case "tool_call":
      console.log(`  ${event.name}: the model begins a call`);
      return;
    case "tool_start":
      console.log(`  ${event.name}: starts with ${JSON.stringify(event.args)}`);
      return;
    case "tool_progress":
      console.log(`  ${event.name}: ${String(event.value)} …`);
      return;
    case "tool_result":
      console.log(`  ${event.name}: gives ${JSON.stringify(event.value)}`);
      return;
    case "tool_error":
      console.log(`  ${event.name}: fails: ${String(event.error)}`);
      return;
    case "structured_patch":
      shown = applyPatch(shown, event.patch);
      console.log(`  ${JSON.stringify(shown)}`);
      return;
    case "answer_reset":
      console.log(`  the answer was cut, and is asked for again: ${event.error.message}`);
      return;
    case "structured_error":
      console.log(`  not what was asked for: ${event.error.message}`);
      return;
    case "structured":
      console.log(`\n${event.name}: ${inWords(event.value)}`);
      return;
    case "finish":
      console.log(`The run has ended at step ${event.state.step}: ${event.reason}.`);
      return;
    case "tool_args": // the arguments as they grow
    case "tool_paused": // only with the approval of calls
    case "message": // the conversation, message by message
    case "usage":
    case "structured_strategy": // the schema is asked for in another way
    case "structured_reset": // the next patch sets the response again
    case "structured_item": // only with the option items
    case "step_end": // with the state, to save
      return;
    default:
      event satisfies never;
  }
}

function inWords(answer: Answer): string {
  if ("question" in answer) return `${answer.question} (${answer.suggestions.join(", ")}?)`;
  return `to ${answer.destination} at ${answer.depart}, with ${answer.pack.join(" and ")}. ${answer.reason}`;
}
