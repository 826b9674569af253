import type { IncomingMessage } from "node:http";
import { agUiHandler, boundedHandler, nodeHandler, type StreamingAgent } from "millrace/serve";
import { expectTypeOf, test } from "vitest";

declare const agent: StreamingAgent;
const answer = (): Response => new Response();

test("a handler takes a second argument only if clientId uses it", () => {
  const plain = boundedHandler(answer, { clientId: ({ headers }) => headers.get("x-user") });
  expectTypeOf(plain).toBeCallableWith(new Request("x:"));
  expectTypeOf(plain).toBeCallableWith(new Request("x:"), 1);
  const byAddress = boundedHandler((_body, _request, info: IncomingMessage) => new Response(info.url), {
    clientId: (_request, { socket }) => socket.remoteAddress,
  });
  expectTypeOf(byAddress).parameters.toEqualTypeOf<[request: Request, info: IncomingMessage]>();
  // @ts-expect-error without the address, all clients would be one
  void byAddress(new Request("x:"));
  const ofAgent = agUiHandler(agent, { clientId: (_request, user: { id: string }) => user.id });
  expectTypeOf(ofAgent).parameters.toEqualTypeOf<[request: Request, info: { id: string }]>();
});

test("nodeHandler() takes handlers with and without the original request", () => {
  nodeHandler(boundedHandler(answer));
  nodeHandler(agUiHandler(agent));
  nodeHandler(answer);
  const byAddress = boundedHandler(answer, {
    clientId: (_request, { socket }: IncomingMessage) => socket.remoteAddress,
  });
  expectTypeOf(nodeHandler(byAddress)).parameter(0).toEqualTypeOf<IncomingMessage>();
  // @ts-expect-error another second argument
  nodeHandler(boundedHandler(answer, { clientId: (_request, user: { id: string }) => user.id }));
});
