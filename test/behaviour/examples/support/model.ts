import type { ServerResponse } from "node:http";
import { events, eventStream, type ModelServer, piece, serve } from "../../../../scripts/model-server.js";

/** A model server whose output the test writes. */
export interface WrittenModel extends ModelServer {
  /** Waits for a request. There must be only one at a time. */
  write(text: string): Promise<void>;
  end(): Promise<void>;
}

export async function writtenModel(): Promise<WrittenModel> {
  let asked: (response: ServerResponse) => void;
  let answer: Promise<ServerResponse>;
  const again = (): void => {
    answer = new Promise((resolve) => {
      asked = resolve;
    });
  };
  again();
  const server = await serve((response) => {
    response.on("close", again);
    asked(eventStream(response));
  });
  return {
    ...server,
    write: async (text) => {
      (await answer).write(piece(text));
    },
    end: async () => {
      (await answer).end(events([]));
    },
  };
}
