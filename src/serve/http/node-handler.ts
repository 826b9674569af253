import { checkNode, fromNodeRequest, type NodeRequest } from "./from-node-request.js";
import { refusalResponse, toRequestError } from "./refusal.js";
import { writeTimeout } from "./slow-clients.js";
import { type NodeHandlerOptions, type NodeResponse, toNodeResponse } from "./to-node-response.js";

/**
 * Turns a function from a web `Request` to a web `Response` into a handler for `node:http`, Express and Fastify
 * (`request.raw`, `reply.raw`). No request can stop the process: an invalid one is answered with status 400 before
 * `handle` is called, and a `handle` that fails with the status of its `RequestError`, or 500.
 *
 * The signal of the `Request` is aborted when the client disconnects. Earlier middleware must not have read the body.
 *
 * @param handle also receives the original request, for example for the address of the client
 * @throws {RangeError} if a number is out of range
 *
 * @example
 * ```ts no-run
 * import { createServer } from "node:http";
 * import { from } from "millrace";
 * import { boundedHandler, nodeHandler, toEventStream } from "millrace/serve";
 *
 * const handle = boundedHandler(() => toEventStream(from([])));
 * createServer(nodeHandler(handle)).listen(8080);
 * ```
 */
export function nodeHandler<Incoming extends NodeRequest = NodeRequest>(
  handle: (request: Request, incoming: Incoming) => Response | PromiseLike<Response>,
  options: NodeHandlerOptions = {},
): (incoming: Incoming, outgoing: NodeResponse) => void {
  writeTimeout(options);
  const answer = async (incoming: Incoming, outgoing: NodeResponse): Promise<void> => {
    const request = fromNodeRequest(incoming, outgoing);
    if (outgoing.writableEnded) return; // invalid, and answered
    let response: Response;
    try {
      response = await handle(request, incoming);
    } catch (error) {
      response = refusalResponse(toRequestError(error, options.onError));
    }
    await toNodeResponse(response, outgoing, options);
  };
  return (incoming, outgoing) => {
    checkNode(incoming, outgoing);
    // Fails if earlier middleware has sent a response.
    answer(incoming, outgoing).catch(() => outgoing.destroy());
  };
}
