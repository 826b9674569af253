import { MillraceError } from "../../errors.js";
import { exitCodes, type ExitCode } from "./exit-codes.js";

export type StopCode = "interrupted" | "terminated" | "reader_gone";

/**
 * The reason with which the signal of a command is aborted: someone wants it to end, nothing is wrong. It travels
 * through the pipeline as any error does, so that every stage closes what it reads.
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
  reader_gone: "The reader of the output went away.",
};
