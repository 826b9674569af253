/**
 * The parts of Restate's SDK that tests use. Its own declarations do not compile with `exactOptionalPropertyTypes`, and it
 * is installed below `temp/engines` only.
 */
declare module "@restatedev/restate-sdk" {
  import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
  import type { RestateContext, RestateRace } from "millrace/durable";

  export interface Context extends RestateContext {
    request(): { readonly id: string; readonly attemptCompletedSignal: AbortSignal };
    invocation(id: string): { signal(name: string): { resolve(payload: unknown): void } };
  }
  export const RestatePromise: RestateRace;
  export class TerminalError extends Error {}
  export function service(definition: {
    readonly name: string;
    readonly handlers: Readonly<Record<string, (context: Context, input: never) => Promise<unknown>>>;
    readonly options: object;
  }): object;
  export function createEndpointHandler(options: {
    readonly services: readonly object[];
    readonly logger: () => void;
  }): (request: Http2ServerRequest, response: Http2ServerResponse) => void;
}
