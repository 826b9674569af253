import type { JsonOutputParserOptions, JsonParser, JsonParserOptions } from "millrace";
import { arriving, showAll, type Read, type Subject } from "./subject.js";

/** `JsonParser` (synchronous) and `jsonParser()` (as in an application). */
export const ours = {
  patches: stage("patches"),
  "patches, append": stage("patches", { append: true }),
  "patches, strict": stage("patches", { strict: true }),
  snapshots: stage("stream"),
  "snapshots, strict": stage("stream", { strict: true }),
  "write + takePatch": machine("patches", (parser) => parser.takePatch()),
  "write + takePatch, append": machine("patches", (parser) => parser.takePatch(), { append: true }),
  "write + snapshot": machine("values", (parser) => parser.snapshot()),
  /** One value that changes in place, like the value of jsonriver. */
  "live value": {
    shows: "values",
    load: async () => {
      const { JsonParser } = await import("millrace");
      return async (chunks, show) => {
        const parser = new JsonParser();
        for await (const chunk of arriving(chunks)) {
          parser.write(chunk);
          show(parser.value);
        }
        parser.end();
      };
    },
  },
  /** The live value, read at the end only. */
  write: {
    shows: "values",
    load: async () => {
      const { JsonParser } = await import("millrace");
      return (chunks, show) => {
        const parser = new JsonParser();
        for (const chunk of chunks) parser.write(chunk);
        parser.end();
        show(parser.value);
      };
    },
  },
} satisfies Record<string, Subject>;

function stage(view: "patches" | "stream", options?: JsonOutputParserOptions): Subject {
  return {
    shows: view === "patches" ? "patches" : "values",
    load: async (): Promise<Read> => {
      const { jsonParser } = await import("millrace");
      return (chunks, show) => showAll(jsonParser(undefined, options)[view](arriving(chunks)), show);
    },
  };
}

function machine(
  shows: Subject["shows"],
  look: (parser: JsonParser) => unknown,
  options?: JsonParserOptions,
): Subject {
  return {
    shows,
    load: async (): Promise<Read> => {
      const { JsonParser } = await import("millrace");
      return (chunks, show) => {
        const parser = new JsonParser(options);
        for (const chunk of chunks) {
          parser.write(chunk);
          show(look(parser));
        }
        parser.end();
      };
    },
  };
}
