import type { JsonValue } from "millrace";
import type { Journal } from "millrace/durable";

/** What an engine has kept of a run: what it recorded at each position, and the messages that were sent. */
export interface PositionRecords {
  readonly steps: Map<number, { readonly name: string; readonly text: string }>;
  readonly messages: Map<string, JsonValue>;
  /** Called when a message arrives. */
  readonly waiting: Map<string, () => void>;
}

export function newRecords(): PositionRecords {
  return { steps: new Map(), messages: new Map(), waiting: new Map() };
}

export function send({ messages, waiting }: PositionRecords, name: string, message: JsonValue): void {
  messages.set(name, message);
  waiting.get(name)?.();
}

/** An engine that finds steps by position and refuses another name there, as DBOS and Restate do. */
export function positionJournal(records: PositionRecords): Journal {
  let next = 0;
  const at = async (name: string, make: () => Promise<JsonValue>): Promise<JsonValue> => {
    const position = next++;
    const recorded = records.steps.get(position);
    if (recorded !== undefined && recorded.name !== name) {
      throw new Error(`Position ${position} has the step ${recorded.name}, but ${name} was created there.`);
    }
    const text = recorded?.text ?? JSON.stringify(await make());
    records.steps.set(position, { name, text });
    return JSON.parse(text) as JsonValue;
  };
  return {
    ordered: true,
    step: (name, run) => at(name, () => run(1)) as never,
    receive: (name) =>
      at(`message ${name}`, async () => {
        if (!records.messages.has(name)) {
          await new Promise<void>((resolve) => {
            records.waiting.set(name, resolve);
          });
        }
        return records.messages.get(name) ?? null;
      }),
  };
}
