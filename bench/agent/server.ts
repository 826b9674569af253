/**
 * A Chat Completions server in its own process, so its cost is not measured. The model's name sets the size of the answer
 * (`contacts-40`: 40 KB). It writes tokens of 4 characters, as the arguments of a call if there is a tool, else as text. It
 * prints its port and ends with its stdin.
 */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { tokensOf } from "./answer.js";

interface Asked {
  readonly model: string;
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

const server = createServer((request, response) => {
  void json(request).then((asked) => answer(asked as Asked, response));
});
await once(server.listen(0, "127.0.0.1"), "listening");
console.log((server.address() as AddressInfo).port);
process.stdin.resume().on("end", () => process.exit());

async function answer({ model, tools = [] }: Asked, response: ServerResponse): Promise<void> {
  const tokens = tokensOf(Number(model.split("-")[1]));
  const name = tools.at(-1)?.function.name;
  const send = (delta: object, finish: string | null = null): boolean =>
    response.write(
      `data: ${JSON.stringify({ ...head, model, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
    );
  response.writeHead(200, { "content-type": "text/event-stream" });
  send({ role: "assistant", content: name === undefined ? "" : null });
  for (const [i, token] of tokens.entries()) {
    const call = {
      index: 0,
      ...(i === 0 && { id: "call_1", type: "function" }),
      function: { arguments: token, ...(i === 0 && { name }) },
    };
    if (!send(name === undefined ? { content: token } : { tool_calls: [call] }))
      await once(response, "drain");
  }
  send({}, name === undefined ? "stop" : "tool_calls");
  response.end("data: [DONE]\n\n");
}

const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1_741_569_952 };
