import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { toUiMessageStream } from "millrace/serve";
import { print } from "../../../scripts/runtimes/run.js";
import { runtimes, type Runtime } from "../../../scripts/runtimes/runtimes.js";
import { counter, recipeAgent } from "../../serve/ag-ui/ag-ui-conversation.js";
import { installAiSdk, root } from "./same-app/apps.js";

/** The AI SDK 7 needs Node 22, so a program reads the bodies there. */
const program = `
import { parseJsonEventStream, readUIMessageStream, uiMessageChunkSchema } from "ai";
const { bodies, cuts } = JSON.parse(await new Response(process.stdin).text());
const read = async (pieces) => {
  const stream = new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  const chunks = [];
  const invalid = [];
  const reader = parseJsonEventStream({ stream, schema: uiMessageChunkSchema }).getReader();
  for (let next; !(next = await reader.read()).done; ) {
    if (next.value.success) chunks.push(next.value.value);
    else invalid.push(next.value.rawValue);
  }
  const messages = [];
  const source = new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  for await (const message of readUIMessageStream({ stream: source, terminateOnError: true })) {
    messages.push(structuredClone(message.parts));
  }
  return { types: chunks.map(({ type }) => type), invalid, messages };
};
const results = [];
for (const body of bodies) {
  const bytes = new TextEncoder().encode(body);
  const whole = await read([bytes]);
  const last = JSON.stringify(whole.messages.at(-1));
  let same = 0;
  for (let cut = 1; cuts && cut < bytes.length; cut++) {
    const { messages } = await read([bytes.slice(0, cut), bytes.slice(cut)]);
    if (JSON.stringify(messages.at(-1)) === last) same++;
  }
  results.push({ ...whole, same, cuts: bytes.length - 1 });
}
console.log(JSON.stringify(results));
`;

interface Reading {
  readonly types: readonly string[];
  readonly invalid: readonly unknown[];
  readonly messages: readonly (readonly {
    readonly type: string;
    readonly data?: unknown;
    readonly text?: string;
  }[])[];
  readonly same: number;
  readonly cuts: number;
}

let node: Runtime | undefined;
let absent = "";

beforeAll(async () => {
  try {
    await installAiSdk();
    node = await runtimes.find(({ name }) => name.startsWith("Node 22"))?.get();
  } catch (error) {
    absent = String(error).slice(0, 200);
  }
}, 300_000);

async function readWithAiSdk7(bodies: readonly string[], cuts = false): Promise<readonly Reading[]> {
  const file = join(root, "temp/same-app/AI SDK 7/read-bodies.mjs");
  writeFileSync(file, program);
  const input = JSON.stringify({ bodies, cuts });
  const printed = await print((node as Runtime).command, [file], { cwd: root, input, timeout: 120_000 });
  return JSON.parse(printed) as Reading[];
}

const bodyOf = async (options: object): Promise<string> =>
  toUiMessageStream(recipeAgent(true).stream("A recipe."), { createId: counter(), ...options }).text();

describe("the reader of the AI SDK 7, on Node 22", () => {
  test("accepts every part, cut at every byte, and takes back the step of a rejected response", async (context) => {
    if (node === undefined) context.skip(`The AI SDK 7 or Node 22 is missing: ${absent}`);
    const bodies = [
      await bodyOf({ resetStep: true, partials: true }),
      await bodyOf({ resetStep: true }),
      await bodyOf({ partials: true }),
    ];
    const [growing, whole, kept] = (await readWithAiSdk7(bodies, true)) as [Reading, Reading, Reading];
    for (const { invalid, same, cuts } of [growing, whole, kept]) expect([invalid, same]).toEqual([[], cuts]);
    for (const { types, messages } of [growing, whole]) {
      expect(types.filter((type) => type === "reset-step")).toHaveLength(1);
      const last = messages.at(-1) ?? [];
      expect(last.some(({ text }) => text === "Now the recipe.")).toBe(false);
      expect(messages.some((parts) => parts.some(({ text }) => text === "Now the recipe."))).toBe(true);
      const data = last.filter(({ type }) => type === "data-structured").map((part) => part.data);
      expect(data).toEqual([{ title: "Tea", steps: ["boil", "pour"], minutes: 5 }]);
      expect(last.filter(({ type }) => type === "tool-stock")).toHaveLength(1);
    }
    expect(kept.types).not.toContain("reset-step");
    expect(kept.messages.at(-1)?.some(({ text }) => text === "Now the recipe.")).toBe(true);
  });
});
