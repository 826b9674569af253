import { createParser } from "eventsource-parser";
import type { JsonPatch } from "millrace";

/** Takes the text of a response, and tells what each event has. */
type Feed = (text: string) => void;
interface Events {
  readonly onStart: (time: number) => void;
  readonly onText: (text: string) => void;
  readonly onDone: () => void;
}

/** The readers of the formats of the servers. They expect what `model()` writes. */
export const formats: Readonly<Record<string, (events: Events) => Feed>> = {
  sse: ({ onStart, onText, onDone }) => {
    const parser = createParser({
      onEvent: ({ event, data }) => {
        if (event === "done") onDone();
        else
          for (const operation of JSON.parse(data) as JsonPatch) {
            if (operation.op === "append") onText(operation.value);
            else onStart((operation.value as { start: number }).start);
          }
      },
    });
    return (text) => {
      parser.feed(text);
    };
  },
  compact: ({ onStart, onText, onDone }) =>
    inLines((line) => {
      if (line === "event: done") onDone();
      else if (line.startsWith('"')) onText(JSON.parse(line) as string);
      else if (line.startsWith("0,")) onStart(Number(/"start":([\d.]+)/.exec(line)?.[1]));
    }),
  /** A line with the time, then the tokens alone; a full stop ends them. */
  text: ({ onStart, onText, onDone }) => {
    let hasStart = false;
    return (text) => {
      for (const line of text.split("\n")) {
        if (!hasStart) onStart(Number(line));
        else {
          if (line.length > 1) onText(line.replace(".", ""));
          if (line.endsWith(".")) onDone();
        }
        hasStart = true;
      }
    };
  },
};

function inLines(onLine: (line: string) => void): Feed {
  let rest = "";
  return (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    lines.forEach(onLine);
  };
}
