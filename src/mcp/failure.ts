import { safeText } from "../tools/run/safe-text.js";
import { messageOf } from "../text/excerpt.js";
import { cut } from "../text/cut.js";
import { fieldOf, isInstance } from "../text/thrown.js";
import { isRecord } from "../messages/loose.js";
import { McpToolsError } from "./errors.js";

/** Why a request failed, and whether the server may have begun to work on it. */
export interface RequestFailure {
  readonly error: McpToolsError;
  /**
   * - `never`: the request did not reach a server that runs it, so it can be sent again;
   * - `maybe`: the connection was lost, and nobody knows;
   * - `yes`: the server has answered or was silent.
   */
  readonly ran: "never" | "maybe" | "yes";
}

/** A row: which errors of the clients it is about, and what they mean. */
interface FailureRow {
  readonly is: (thrown: unknown) => boolean;
  readonly ran: RequestFailure["ran"];
  readonly error: (thrown: unknown, tool: string | undefined) => McpToolsError;
}

const codeOf = (thrown: unknown): unknown => fieldOf(thrown, "code");

/**
 * Whether the server has answered with this error. Its code may be any number, also that of a status of HTTP, and its text
 * any text.
 */
function isAnswer(thrown: unknown): boolean {
  const code = codeOf(thrown);
  if (!Number.isSafeInteger(code)) return false;
  return (code as number) < 0 || answers.has(fieldOf(thrown, "name"));
}

/** The names of the errors that the clients make of answers. */
const answers: ReadonlySet<unknown> = new Set(["McpError", "ProtocolError"]);

/** Whether the first SDK has made this error itself. It has the form of an answer. */
function isMadeHere(thrown: unknown, code: number, text: string): boolean {
  return codeOf(thrown) === code && messageOf(thrown) === `MCP error ${code}: ${text}`;
}

/** The errors of both official clients. The first row that fits decides. */
const rows: readonly FailureRow[] = [
  {
    is: (thrown) => codeOf(thrown) === "CONNECTION_CLOSED" || isMadeHere(thrown, -32000, "Connection closed"),
    ran: "maybe",
    error: closed("The connection to the server was closed during the call."),
  },
  {
    is: (thrown) => codeOf(thrown) === "REQUEST_TIMEOUT" || isMadeHere(thrown, -32001, "Request timed out"),
    ran: "yes",
    error: (cause, tool) =>
      new McpToolsError("timeout", "The server was silent for too long.", { tool, cause }),
  },
  {
    is: (thrown) => codeOf(thrown) === -32042,
    ran: "yes",
    error: (cause, tool) =>
      new McpToolsError("url_required", "The user has to open a page before this tool can run.", {
        ...{ tool, cause, serverCode: -32042 },
        urls: urlsIn(fieldOf(cause, "data")),
      }),
  },
  {
    is: isAnswer,
    ran: "yes",
    error: (cause, tool) =>
      new McpToolsError("server", saidBy("The server answered with an error", cause), {
        ...{ tool, cause },
        serverCode: codeOf(cause) as number,
      }),
  },
  {
    // A plain error of the first SDK; the second one may also have a code.
    is: (thrown) => codeOf(thrown) === "NOT_CONNECTED" || messageOf(thrown) === "Not connected",
    ran: "never",
    error: closed("There is no connection to the server."),
  },
  {
    is: (thrown) => fieldOf(fieldOf(thrown, "cause"), "code") === "ECONNREFUSED",
    ran: "never",
    error: closed("The server cannot be reached."),
  },
  {
    // The server has forgotten the session. Many servers answer with 400 instead of 404, as an example of the SDK does.
    is: (thrown) => {
      const status = fieldOf(thrown, "status") ?? codeOf(thrown); // a field in the second SDK
      return status === 404 || (status === 400 && /\bsession\b/i.test(messageOf(thrown)));
    },
    ran: "never",
    error: closed("The server does not know this session any more."),
  },
  {
    is: (thrown) => codeOf(thrown) === "INVALID_RESULT" || codeOf(thrown) === "UNSUPPORTED_RESULT_TYPE",
    ran: "yes",
    error: (cause, tool) =>
      new McpToolsError("invalid_result", "The server sent a result that cannot be read.", { tool, cause }),
  },
];

/** Says what an error of a client means. `tool` is the tool that was called. */
export function requestFailure(thrown: unknown, tool?: string): RequestFailure {
  if (isInstance(thrown, McpToolsError)) return { error: thrown, ran: "yes" };
  const row = rows.find(({ is }) => is(thrown));
  if (row !== undefined) return { error: row.error(thrown, tool), ran: row.ran };
  const message = saidBy("The request to the server failed", thrown);
  return { error: new McpToolsError("closed", message, { tool, cause: thrown }), ran: "maybe" };
}

function closed(message: string): FailureRow["error"] {
  return (cause, tool) => new McpToolsError("closed", message, { tool, cause });
}

function saidBy(what: string, thrown: unknown): string {
  const text = safeText(messageOf(thrown).replace(/^MCP error -?\d+: /, ""));
  return text === "" ? `${what}.` : `${what}: ${text}`;
}

/** The pages of `data.elicitations[].url`. */
function urlsIn(data: unknown): string[] {
  const asked = fieldOf(data, "elicitations");
  if (!Array.isArray(asked)) return [];
  const urls = asked.slice(0, maxUrls).map((it: unknown) => (isRecord(it) ? it["url"] : undefined));
  return urls.filter((url) => typeof url === "string").map((url) => cut(url, maxUrl));
}

const maxUrls = 20;
const maxUrl = 4_000;
