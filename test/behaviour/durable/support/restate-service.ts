import { createServer, type ServerHttp2Session } from "node:http2";
import * as restate from "@restatedev/restate-sdk";

type Handler = (context: restate.Context, input: string) => Promise<unknown>;

/** A service with the handler `run`. */
export interface RestateService {
  /** Calls the handler, or attaches to the call that was begun with this key. */
  call(key: string, input?: string): Promise<unknown>;
  /** Cancels an invocation. */
  cancel(id: string): Promise<void>;
  /** Cuts all connections of Restate, so that it begins a second attempt while the first one still runs. */
  cut(): void;
}

/** @param place the addresses of the server, the port and the name of the service as JSON */
export async function serveRestate(place: string, run: Handler): Promise<RestateService> {
  const { ingress, admin, port, name } = JSON.parse(place) as Readonly<Record<string, string>>;
  const service = restate.service({
    name: name ?? "",
    handlers: { run },
    options: {
      retryPolicy: { initialInterval: 20, maxInterval: 200, maxAttempts: 1e9 },
      journalRetention: { hours: 1 },
    },
  });
  const sessions = new Set<ServerHttp2Session>();
  const logger = (): void => undefined;
  const server = createServer(restate.createEndpointHandler({ services: [service], logger }));
  server.on("session", (session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
  });
  await new Promise<void>((resolve) => {
    server.listen(Number(port), "127.0.0.1", resolve);
  });
  const post = (url: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  const registered = await post(`${admin}/deployments`, { uri: `http://127.0.0.1:${port}`, force: true });
  if (!registered.ok) throw new Error(await registered.text());
  return {
    async call(key, input = "") {
      const response = await post(`${ingress}/${name}/run`, input, { "idempotency-key": key });
      const text = await response.text();
      if (!response.ok) throw new Error(text);
      return text === "" ? undefined : (JSON.parse(text) as unknown);
    },
    async cancel(id) {
      await fetch(`${admin}/invocations/${id}/cancel`, { method: "PATCH" });
    },
    cut() {
      for (const session of sessions) session.destroy();
    },
  };
}
