import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { events, eventStream, piece } from "../model-server.js";

/** A server of Chat Completions on loopback. */
export interface ModelServer {
  /**
   * A request for `/left` below it is answered with `true` once the client of an endless answer has closed its
   * connection.
   */
  readonly baseURL: string;
  readonly close: () => void;
}

/** The answer of the model. It has characters of two, three and four bytes. */
export const document = {
  tea: "grün ☕",
  steps: ["Warm the pot", "𝔓our"],
  minutes: 10,
};

/** The model `endless` writes without end; any other writes the document. Both in pieces that cut characters in two. */
export async function startModelServer(): Promise<ModelServer> {
  let leave: (() => void) | undefined;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const server = createServer((request, response) => {
    if (request.url === "/v1/left") {
      void Promise.race([left.then(() => true), sleep(3000, false)]).then((gone) =>
        response.end(String(gone)),
      );
      return;
    }
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.on("end", () => {
      if (request.headers.authorization !== "Bearer of-nobody") {
        response.writeHead(401).end();
        return;
      }
      eventStream(response);
      const { model } = JSON.parse(body) as { readonly model: string };
      if (model === "endless") {
        response.on("close", () => leave?.());
        void writeEndless(response);
      } else void write(response);
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { baseURL: `http://127.0.0.1:${port}/v1`, close };
}

async function write(response: ServerResponse): Promise<void> {
  const tokens = JSON.stringify(document).match(/[^]{1,5}/gu) ?? [];
  for (const bytes of inPieces(Buffer.from(events(tokens)))) {
    response.write(bytes);
    await sleep(1); // mostly a separate read
  }
  response.end();
}

/** Cut after the first byte of each character that has more than one. */
function* inPieces(bytes: Uint8Array): Generator<Uint8Array> {
  let begin = 0;
  for (const [at, byte] of bytes.entries()) {
    if (byte < 0b1100_0000) continue;
    yield bytes.subarray(begin, at + 1);
    begin = at + 1;
  }
  yield bytes.subarray(begin);
}

async function writeEndless(response: ServerResponse): Promise<void> {
  response.write(piece('{"tea": "'));
  while (!response.destroyed) {
    response.write(piece("g"));
    await sleep(5);
  }
}
