import type { CallOptions, ChatModel, MessagesInput } from "millrace";
import { outcomeOf } from "./models.js";

/** A request that was sent. */
export interface Sent {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: Record<string, unknown>;
}

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Returns a function with the request that a call sends, or the error that prevents it. */
export function sentBy<Options extends { readonly fetch?: unknown }, Extra>(
  modelWith: (options: Options) => ChatModel<Extra>,
  defaults: Omit<Options, "fetch">,
): (input: MessagesInput, call?: CallOptions<Extra>, options?: Partial<Options>) => Promise<Sent> {
  return async (input, call, options) => {
    let seen: Sent | undefined;
    const fetch: Fetch = (url, init) => {
      const headers = Object.fromEntries(new Headers(init.headers).entries());
      seen = { url, headers, body: JSON.parse(init.body as string) as Sent["body"] };
      return Promise.resolve(new Response("seen", { status: 400 }));
    };
    const model = modelWith({ ...defaults, fetch, ...options } as unknown as Options);
    const { error } = await outcomeOf(model.stream(input, call));
    if (seen === undefined) throw error;
    return seen;
  };
}
