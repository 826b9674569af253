import { onAbort } from "../../stream/time/on-abort.js";
import type { LogWriter, NextLogWriter, StreamLog } from "./stream-log.js";

/**
 * The same log, whose writers hold something from the call that creates them until their run has ended, they are
 * stopped or they leave.
 *
 * @param hold returns the function that releases it, which may be called again
 */
export function holdingLog(log: StreamLog, hold: () => () => void): StreamLog {
  return {
    create: (id) => holding(() => log.create(id), hold, held),
    takeOver: (id) => holding(() => log.takeOver(id), hold, heldNext),
    read: (id, after) => log.read(id, after),
    status: (id) => log.status(id),
    stop: (id) => log.stop(id),
    expire: (id) => log.expire(id),
  };
}

async function holding<Writer>(
  open: () => Promise<Writer>,
  hold: () => () => void,
  wrap: (writer: Writer, release: () => void) => Writer,
): Promise<Writer> {
  const release = hold();
  try {
    return wrap(await open(), release);
  } catch (error) {
    release();
    throw error;
  }
}

function held(writer: LogWriter, release: () => void): LogWriter {
  const { origin, signal } = writer;
  const stopListening = onAbort(signal, release);
  if (signal.aborted) release();
  return {
    origin,
    signal,
    append: (patch) => writer.append(patch),
    async end(end) {
      try {
        await writer.end(end);
      } finally {
        stopListening();
        release();
      }
    },
  };
}

function heldNext(writer: NextLogWriter, release: () => void): NextLogWriter {
  const { value, ended } = writer;
  if (ended !== undefined) release();
  const leave = (): void => {
    release();
    writer.leave?.();
  };
  return { ...held(writer, release), value, ended, leave };
}
