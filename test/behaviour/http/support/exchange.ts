import { connect } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { expect } from "vitest";
import type { RawRequests } from "./raw-requests.js";

/**
 * Sends the requests. Expects no answer that is an error of the server, and an answer to a plain request afterwards.
 */
export async function expectAnswers(port: number, requests: RawRequests): Promise<void> {
  const answer = await exchange(port, requests);
  if (requests.then === "end" && answer !== "") expect(answer).toMatch(/^HTTP\/1\.1 [1-4]\d\d /);
  const plain: RawRequests = { text: "GET /x HTTP/1.0\r\n\r\n", parts: 1, then: "answer" };
  expect(await exchange(port, plain)).toMatch(/^HTTP\/1\.1 [1-4]\d\d /);
}

/**
 * Sends the requests over a connection of their own. Returns the start of the answer, once its head has arrived or the
 * connection is closed.
 *
 * @throws {Error} if a client that waits for an answer gets neither
 */
async function exchange(port: number, { text, parts, then }: RawRequests): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let answer = "";
  let isOver = false;
  const over = new Promise<void>((resolve) => {
    const end = (): void => {
      isOver = true;
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(resolve, { end: 10_000, answer: 10_000, wait: 20, destroy: 0 }[then]);
    socket.on("data", (data) => {
      answer += data.toString("latin1");
      if (answer.includes("\r\n\r\n")) end();
    });
    socket.on("close", end);
    socket.on("error", () => {}); // "close" follows
  });
  const size = Math.ceil(text.length / parts) || 1;
  for (let at = 0; at < text.length; at += size) {
    socket.write(text.slice(at, at + size), "latin1");
    if (parts > 1) await turn();
  }
  if (then === "end") socket.end();
  await over;
  socket.destroy();
  if ((then === "end" || then === "answer") && !isOver)
    throw new Error("The server neither answers nor closes the connection.");
  return answer;
}
