import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ModelServer {
  readonly baseURL: string;
  readonly requests: { readonly headers: IncomingHttpHeaders; readonly body: Record<string, unknown> }[];
  /** The number of responses that the client closed before their end. */
  readonly left: () => number;
  stop(): Promise<void>;
}

/** A server with OpenAI's API, whose responses the test defines. */
export async function serve(
  answer: (response: ServerResponse) => void | Promise<void>,
): Promise<ModelServer> {
  const requests: ModelServer["requests"] = [];
  let left = 0;
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      requests.push({ headers: request.headers, body: JSON.parse(text) as Record<string, unknown> });
      void answer(response);
    });
    response.on("close", () => {
      if (!response.writableFinished) left++;
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    baseURL: `http://127.0.0.1:${String(port)}/v1`,
    requests,
    left: () => left,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Server-sent events of Chat Completions, one for each text. */
export function events(texts: readonly string[], finish = "stop"): string {
  return texts.map(piece).join("") + event({}, finish) + "data: [DONE]\n\n";
}

/** One event without the end of the response. */
export function piece(content: string): string {
  return event({ content }, null);
}

/** The first event of OpenAI's API, which has the role. */
export const firstEvent: string = event({ role: "assistant", content: "" }, null);

/** A refusal, as OpenAI's API streams it. */
export function refusal(text: string): string {
  return event({ refusal: text }, null);
}

function event(delta: object, reason: string | null): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
}

export function eventStream(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { "content-type": "text/event-stream" });
}
