import type { AgentOptions } from "../agent/agent-options.js";
import { parseFormat } from "../agent/answer/response-format.js";
import { toState } from "../agent/loop/to-state.js";
import type { AgentInput, AgentState } from "../agent/state.js";
import type { Journal } from "../agent/journal.js";
import { isObject, type JsonObject, type JsonValue } from "../json/value.js";
import { schemaOf } from "../schema/schema-of.js";
import { canonicalJson } from "../text/json-text.js";
import { corruptRecord, DurableError } from "./errors.js";
import { sha256 } from "./sha256.js";
import { beginStep } from "./step-names.js";

/**
 * Records the input of a run, or reads that of the attempt before, and checks that the agent and the input are the
 * same.
 *
 * @throws {DurableError} `no_input`, `changed`
 */
export async function beginRun(
  journal: Journal,
  agent: AgentOptions,
  input: AgentInput | undefined,
  version: string | undefined,
): Promise<AgentState> {
  const inputState = input === undefined ? undefined : toState(input);
  const parts = partsOf(agent);
  const begun = await journal.step(beginStep, () => {
    if (inputState === undefined) {
      throw new DurableError("no_input", "The run has not begun: pass its input to stream() or invoke().");
    }
    const state = inputState as unknown as JsonObject;
    return Promise.resolve<JsonObject>({ ...(version !== undefined && { version }), parts, state });
  });
  if (!isObject(begun) || !isObject(begun["parts"]) || !isObject(begun["state"]))
    throw corruptRecord(beginStep);
  checkAgent(begun, parts, version);
  const state = begun["state"] as unknown as AgentState;
  if (inputState !== undefined && canonicalJson(inputState) !== canonicalJson(state)) {
    throw new DurableError(
      "changed",
      "The run began with another input. Continue it without an input, or give a new run an id and a journal of its own.",
    );
  }
  return state;
}

function checkAgent(begun: JsonObject, parts: JsonObject, version: string | undefined): void {
  const before = begun["version"];
  if (version !== undefined || before !== undefined) {
    if (version === before) return;
    const [now, then] = [version, before].map((it) => (it === undefined ? "none" : JSON.stringify(it)));
    throw new DurableError(
      "changed",
      `The run began with another version of the agent: ${then} instead of ${now}. Continue it with that version.`,
    );
  }
  const then = begun["parts"] as JsonObject;
  const names = [...new Set([...Object.keys(then), ...Object.keys(parts)])];
  const changed = names.filter((name) => then[name] !== parts[name]);
  if (changed.length === 0) return;
  throw new DurableError(
    "changed",
    `The agent has changed since the run began: ${changed.join(", ")}. Continue the run with the agent as it was. To allow changes that fit the recorded steps, set "version", and change it with those that do not.`,
  );
}

/** A checksum of each part that decides the requests to the model. */
function partsOf({ system, tools = [], responseFormat }: AgentOptions): JsonObject {
  const parts: Record<string, JsonValue> = {};
  if (system !== undefined) parts["system"] = checksum(system);
  for (const { name, description, parameters, forms } of tools) {
    parts[`the tool "${name}"`] = checksum({ description, parameters, forms });
  }
  if (responseFormat !== undefined) {
    const { schemas } = parseFormat(responseFormat);
    parts["responseFormat"] = checksum(schemas.map((it) => schemaOf(it).jsonSchema));
  }
  return parts;
}

function checksum(value: unknown): string {
  return sha256(canonicalJson(value), 16);
}
