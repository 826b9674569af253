import type { Help } from "./help.js";

/**
 * Exit codes. Bad data, a schema violation and a failed model have separate codes because a script handles them
 * differently: fix the input, ask again, or try later.
 */
export const exitCodes = {
  ok: 0,
  badData: 1,
  usage: 2,
  model: 3,
  schema: 4,
  output: 5,
  internal: 70,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Shown by `millrace help exit-codes`. */
export const exitCodesHelp: Help = {
  title: "millrace: exit codes",
  parts: [
    {
      heading: "Exit codes",
      rows: [
        ["0", 'success; also if the reader closed the output, as "| head" does'],
        ["1", "bad data: not JSON, cut off, not UTF-8, or with a number beyond a double"],
        ["2", "wrong arguments, a missing key or an unusable schema"],
        ["3", "the model, the network or the database failed"],
        ["4", "the value does not satisfy the schema"],
        ["5", "the output could not be written"],
        ["70", "a bug in millrace"],
        ["130", "interrupted (Ctrl-C)"],
        ["143", "terminated"],
      ],
    },
  ],
};
