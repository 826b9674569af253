import { once } from "node:events";
import { MillraceError } from "../../errors.js";
import { exitCodes, type ExitCode } from "./exit-codes.js";

export type StopCode = "interrupted" | "terminated" | "reader_gone";

/**
 * The abort reason when a command is stopped from outside. It passes through the pipeline like any error, so every
 * stage closes its source.
 */
export class Stop extends MillraceError<StopCode> {
  override readonly name = "Stop";
  readonly exitCode: ExitCode;

  constructor(code: StopCode) {
    super(code, sentences[code]);
    this.exitCode = code === "reader_gone" ? exitCodes.ok : exitCodes[code];
  }
}

const sentences: Readonly<Record<StopCode, string>> = {
  interrupted: "Interrupted.",
  terminated: "Terminated.",
  reader_gone: "The reader closed the output.",
};

/** Waits until the command is stopped. @throws the reason of the signal */
export async function untilStopped(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, "abort");
  throw signal.reason as Error;
}
