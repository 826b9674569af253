import type { CallOptions, ChatModel, MessagesInput } from "millrace";
import { outcomeOf } from "./models.js";

/** A request that was sent. */
export interface Sent {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: Record<string, unknown>;
}

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The body that a call sends, or the error that prevents it. */
export async function sentBy<Extra>(
  modelWith: (fetch: Fetch) => ChatModel<Extra>,
  input: MessagesInput,
  call?: CallOptions<Extra>,
): Promise<Sent> {
  let seen: Sent | undefined;
  const model = modelWith((url, init) => {
    const headers = Object.fromEntries(new Headers(init.headers).entries());
    seen = { url, headers, body: JSON.parse(init.body as string) as Sent["body"] };
    return Promise.resolve(new Response("seen", { status: 400 }));
  });
  const { error } = await outcomeOf(model.stream(input, call));
  if (seen === undefined) throw error;
  return seen;
}
