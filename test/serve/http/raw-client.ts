import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A connection to a server of the test, over which any bytes can be sent. */
export interface RawClient {
  readonly socket: Socket;
  /** Everything received so far. */
  readonly text: () => string;
  /** Resolves with everything received, once the text contains `part`. Rejects if the connection closes without. */
  readonly until: (part: string) => Promise<string>;
  /** Resolves with everything received, once the connection is closed. */
  readonly closed: Promise<string>;
}

/** Connects and sends the text, byte by character. */
export async function rawClient(url: string, head: string): Promise<RawClient> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  let text = "";
  const closed = new Promise<string>((resolve) => {
    socket.on("close", () => resolve(text));
  });
  socket.on("error", () => {}); // "close" follows
  socket.on("data", (data) => (text += data.toString("latin1")));
  await once(socket, "connect");
  socket.write(head, "latin1");
  const until = (part: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (text.includes(part)) resolve(text);
      };
      socket.on("data", look);
      socket.on("close", () => reject(new Error(`Closed before ${JSON.stringify(part)}, after ${text}`)));
      look();
    });
  return { socket, text: () => text, until, closed };
}

/** The statuses of all responses in the text. */
export function statusesIn(text: string): number[] {
  return [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
}

/** A request with a JSON body. Its body may be sent in part only. */
export function rawPost(body: string, { length = body.length, headers = "", target = "/" } = {}): string {
  const head = `POST ${target} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${headers}`;
  return `${head}Content-Length: ${length}\r\n\r\n${body}`;
}
