import { MillraceError } from "../../errors.js";
import { formatJsonError, JsonParseError } from "../../json/errors.js";
import { textOf } from "../../messages/blocks/read.js";
import { ModelError, type ModelErrorCode } from "../../models/contract/errors.js";
import { OutputParserError } from "../../parsers/errors.js";
import { SchemaError } from "../../schema/errors.js";
import { LineError } from "./each-line.js";
import { exitCodes, type ExitCode } from "../terminal/exit-codes.js";
import { InputError } from "../terminal/input-error.js";
import type { Io } from "../terminal/io.js";
import { OutputError } from "../terminal/output-error.js";
import { Stop } from "../terminal/stop.js";
import { stylesFor } from "../terminal/styles.js";
import { counted } from "../../text/counts.js";
import { fieldOf } from "../../text/thrown.js";
import { printable } from "../terminal/printable.js";
import { clip, fitted } from "../terminal/text-layout.js";
import { messageForUser, UsageError } from "../terminal/usage-error.js";

/**
 * Prints an error on standard error and returns its exit code. Prints nothing for a {@link Stop}.
 *
 * @param command the command as typed, such as `millrace json`
 */
export function reportError(error: unknown, command: string, io: Pick<Io, "stderr" | "env">): ExitCode {
  if (error instanceof Stop) return error.exitCode;
  const { exitCode, lines } = describe(error, command);
  const heading = `${command}:`;
  const shown = lines.map(printable);
  const text = fitted(`${heading} ${shown.join("\n")}`, io.stderr);
  io.stderr.write(`${stylesFor(io.stderr, io.env).bad(heading)}${text.slice(heading.length)}\n`);
  return exitCode;
}

interface Report {
  readonly exitCode: ExitCode;
  readonly lines: readonly string[];
}

/** @param line the line of NDJSON, whose document's own lines begin at 1 */
function describe(error: unknown, command: string, line?: number): Report {
  if (error instanceof LineError) return describe(error.cause, command, error.line);
  if (error instanceof UsageError) {
    return { exitCode: exitCodes.usage, lines: [error.message, `See ${command} --help.`] };
  }
  if (error instanceof SchemaError) return { exitCode: exitCodes.usage, lines: [error.message] };
  if (error instanceof InputError) return describeInput(error, line);
  if (error instanceof OutputError) return { exitCode: exitCodes.output, lines: [error.message] };
  if (error instanceof JsonParseError) return { exitCode: exitCodes.badData, lines: parseLines(error, line) };
  if (error instanceof OutputParserError) return describeOutput(error, line);
  if (error instanceof ModelError) return describeModel(error, command);
  if (error instanceof MillraceError) return { exitCode: exitCodes.internal, lines: [messageForUser(error)] };
  if (fieldOf(error, "syscall") === "read")
    return { exitCode: exitCodes.badData, lines: [`The input cannot be read: ${(error as Error).message}.`] };
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { exitCode: exitCodes.internal, lines: [`This is a bug in millrace. ${trace}`] };
}

function describeInput({ code, message }: InputError, line: number | undefined): Report {
  const exitCode = code === "database" ? exitCodes.model : exitCodes.badData;
  return { exitCode, lines: [line === undefined ? message : `Line ${line}: ${message}`] };
}

function describeModel(error: ModelError, command: string): Report {
  const { code, partial, cause, environmentVariable } = error;
  if (environmentVariable !== undefined) {
    const missing = `There is no API key. Set the environment variable ${environmentVariable}.`;
    return { exitCode: exitCodes.usage, lines: [missing, `See ${command} --help.`] };
  }
  const message = messageForUser(error);
  if (usageCodes.has(code)) return { exitCode: exitCodes.usage, lines: [message, `See ${command} --help.`] };
  if (fieldOf(cause, "name") === "DurableError") return { exitCode: exitCodes.output, lines: [message] };
  const text = partial === undefined ? "" : textOf(partial);
  const known = text === "" ? [] : [`The model had written ${counted(text.length, "character")}.`];
  return { exitCode: exitCodes.model, lines: [message, ...known] };
}

/** Codes of errors in the arguments: the request was not sent. */
const usageCodes: ReadonlySet<ModelErrorCode> = new Set<ModelErrorCode>([
  "unknown_provider",
  "no_model",
  "no_key",
  "no_prompt",
  "invalid_request",
]);

function describeOutput(error: OutputParserError, line: number | undefined): Report {
  if (error.code === "schema") {
    const issues = error.issues.map(
      ({ pointer, message }) => `  ${pointer === "" ? "(the root)" : pointer}  ${message}`,
    );
    const where = line === undefined ? "" : `Line ${line}: `;
    const title = `${where}The value does not satisfy the schema: ${counted(error.issues.length, "violation")}.`;
    return { exitCode: exitCodes.schema, lines: [title, ...issues] };
  }
  const { cause, message } = error;
  if (!(cause instanceof JsonParseError)) return { exitCode: exitCodes.badData, lines: [message] };
  // Any text that the output parser adds to its cause's message is the reason why the model stopped.
  const why = message.startsWith(cause.message) ? message.slice(cause.message.length).trim() : message;
  return { exitCode: exitCodes.badData, lines: [...parseLines(cause, line), ...(why === "" ? [] : [why])] };
}

function parseLines(error: JsonParseError, line: number | undefined): string[] {
  const { offset, value } = error;
  const read = `${counted(offset, "character")} read`;
  const known = value === undefined ? "No value so far" : `Value so far: ${abridged(value)}`;
  const placed = line === undefined ? error : inLine(error, line);
  const where = error.excerpt.text === "" ? placed.message : formatJsonError(placed);
  const hint =
    line === undefined && error.code === "trailing_text"
      ? ["For one JSON document per line, use --ndjson."]
      : [];
  return [where, `${known} (${read}).`, ...hint];
}

/** The same error, in a line of NDJSON. */
function inLine(error: JsonParseError, line: number): JsonParseError {
  const message = error.message.replace(/\(line 1, (column \d+\)\.)$/, `(line ${line}, $1`);
  return Object.create(error, { line: { value: line }, message: { value: message } }) as JsonParseError;
}

/** Shortens a value's JSON to 160 characters by cutting the middle. The end shows how far the parser came. */
function abridged(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= 160 ? text : `${clip(text, 80)} ${text.slice(-79)}`;
}
