import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { type ChatModel, ModelError, textOf } from "millrace";
import { outcomeOf, serving } from "../../../models/support/models.js";
import type { Answer, TestServer } from "../../../models/support/server.js";

/** A provider whose streams break. */
export interface BrokenProvider {
  modelAt(server: TestServer, options?: { readonly maxRetries: number }): ChatModel;
  /** Starts an answer with these texts, and keeps it open. */
  say(response: ServerResponse, ...texts: readonly string[]): void;
  /** The `content-type` of a successful answer. */
  readonly contentType: string;
}

/** A way to end a stream after "Hello", and its error. */
export type Break = readonly [name: string, breakOff: Answer, expected: object];

/** The ways for every provider: the connection is lost, or the body ends. */
const lostConnections: readonly Break[] = [
  [
    "a destroyed connection",
    (response) => setTimeout(() => response.destroy(), 5),
    { code: "cut", retryable: true },
  ],
  ["a body that ends early", (response) => response.end(), { code: "cut", retryable: true }],
];

/** After its first token, a request is not repeated, and no received content is lost. */
export function describeBrokenStreams(provider: BrokenProvider, breaks: readonly Break[]): void {
  describe("a stream that fails has a typed error with the received message:", () => {
    test.each([...lostConnections, ...breaks])("%s", async (_, breakOff, expected) => {
      const server = await serving((response, ...rest) => {
        provider.say(response, "Hel", "lo");
        return breakOff(response, ...rest);
      });
      const { chunks, error } = await outcomeOf(provider.modelAt(server, { maxRetries: 2 }).stream("Hi"));
      expect(chunks.map(textOf).join("")).toBe("Hello");
      expect(error).toBeInstanceOf(ModelError);
      expect(error).toMatchObject(expected);
      expect(textOf((error as ModelError).partial!)).toBe("Hello");
      expect(server.requests).toHaveLength(1);
    });
  });
}

export function describeForeignAnswers(
  provider: BrokenProvider,
  answers: readonly (readonly [name: string, body: string, code: string])[],
): void {
  test.each([...answers, ["nothing", "", "cut"]] as const)(
    "an answer with status 200 that sends %s is an error",
    async (_, body, code) => {
      const server = await serving((response) =>
        response.writeHead(200, { "content-type": provider.contentType }).end(body),
      );
      const { error } = await outcomeOf(provider.modelAt(server).stream("Hi"));
      expect(error).toMatchObject({ name: "ModelError", code });
    },
  );
}

export function describeClosing(provider: BrokenProvider): void {
  describe("the connection is closed when", () => {
    const oneToken: Answer = (response) => {
      provider.say(response, "Hel");
    };

    test("the signal is aborted", async () => {
      const server = await serving(oneToken);
      const controller = new AbortController();
      const reason = new Error("enough");
      const read = async (): Promise<void> => {
        for await (const _ of provider.modelAt(server).stream("Hi", { signal: controller.signal }))
          controller.abort(reason);
      };
      await expect(read()).rejects.toBe(reason);
      await server.requests[0]?.left;
    });

    test("its consumer leaves", async () => {
      const server = await serving(oneToken);
      for await (const _ of provider.modelAt(server).stream("Hi")) break;
      await server.requests[0]?.left;
    });
  });
}
