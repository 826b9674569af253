import {
  collect,
  commaSeparatedListParser,
  from,
  mergeChunk,
  type MessageChunk,
  numberedListParser,
  OutputParserError,
  pipe,
  xmlParser,
} from "millrace";
import { benchFigure } from "./bench-figures.js";
import { loadPeer } from "../../support/peers.js";

/** Checks for the cells about formats, by using both libraries. */
type Property = (library: "millrace" | "LangChain.js") => Promise<string> | string;

const parsers = await loadPeer("@langchain/core/output_parsers");
const { AIMessageChunk } = await loadPeer("@langchain/core/messages");

export const formatProperties: Readonly<Record<string, Property>> = {
  "<a><b/><c>1</c></a>": (library) => xml(library, "<a><b/><c>1</c></a>"),
  '<a id="7">Hi <b>you</b>!</a>': (library) => xml(library, '<a id="7">Hi <b>you</b>!</a>'),
  "<a>R&D</a>": (library) => xml(library, "<a>R&D</a>"),
  "<a><b>cut": (library) => xml(library, "<a><b>cut"),
  'a, "b, c", d': (library) => list(library, "comma", ['a, "b, c", d']),
  "foo, bar + baz": (library) => list(library, "comma", ["foo, bar ", "baz"]),
  "1. on + e and 2. two": (library) => list(library, "numbered", ["1. on", "e\n2. two"]),
  "a finish reason that is sent twice": (library) => {
    if (library === "millrace") {
      const chunk: MessageChunk = { content: [], providerFinishReason: "stop", finishReason: "stop" };
      return code(mergeChunk(chunk, chunk).providerFinishReason);
    }
    const chunk = new AIMessageChunk({ content: "", response_metadata: { finish_reason: "stop" } });
    return code(chunk.concat(chunk).response_metadata["finish_reason"]);
  },
  "an item of a numbered list of 10,000, ns": (library) =>
    benchFigure("parsers", "Lists", `numbered, ${library}`, "10,000 items"),
  "a character of XML, 16 KB in pieces of 4, ns": (library) => {
    const row = "XML of 16 KB in chunks of 4, a patch for each: time of LangChain.js divided by ours";
    return benchFigure("parsers", "Goals", row, library === "millrace" ? "ours" : "theirs");
  },
  "a character of a tool call, 21 KB in pieces of 4, ns": (library) => {
    const row = library === "millrace" ? "toolCallsParser().stream" : "JsonOutputToolsParser";
    return benchFigure("parsers", "Tool calls", row, "21 KB");
  },
};

async function xml(library: string, text: string): Promise<string> {
  try {
    const value =
      library === "millrace" ? xmlParser().parse(text) : await new parsers.XMLOutputParser().parse(text);
    return code(value);
  } catch (error) {
    if (library === "millrace" && !(error instanceof OutputParserError)) throw error;
    return "an error";
  }
}

type ListFormat = "comma" | "numbered";

async function list(library: string, format: ListFormat, pieces: readonly string[]): Promise<string> {
  if (library === "millrace") return code(await collect(pipe(from(pieces), ours[format]().stream)));
  const items = await collect(new parsers[theirs[format]]().transform(from(pieces), {}));
  return code(items.flat());
}

const ours = { comma: commaSeparatedListParser, numbered: numberedListParser };

const theirs = {
  comma: "CommaSeparatedListOutputParser",
  numbered: "NumberedListOutputParser",
} as const;

function code(value: unknown): string {
  return `\`${JSON.stringify(value)}\``;
}
