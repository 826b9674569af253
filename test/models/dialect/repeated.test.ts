import { type CallOptions, generateObject, tool } from "millrace";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { providerWires } from "../support/wires.js";

const described = z.object({ a: z.string().describe("An a.") }).meta({ title: "Tea", description: "A cup." });

describe.each(providerWires)("a request to $name", ({ model }) => {
  const bodyOf = async (send: (fetch: typeof globalThis.fetch) => Promise<unknown>): Promise<string> => {
    const bodies: string[] = [];
    await send((_, init) => {
      bodies.push(init?.body as string);
      return Promise.resolve(new Response("{}", { status: 400 }));
    }).catch(() => undefined);
    return bodies.join("\n");
  };
  const count = (body: string, text: string): number => body.split(text).length - 1;

  test("for an object names its schema and describes it once", async () => {
    const body = await bodyOf((fetch) =>
      generateObject({ model: model(fetch), schema: described, prompt: "Hi", maxRetries: 0 }),
    );
    expect({
      $schema: count(body, "$schema"),
      description: count(body, "A cup."),
      title: count(body, '"Tea"') <= 1,
    }).toEqual({ $schema: 0, description: 1, title: true });
  });

  test("for a tool has its name and its description once", async () => {
    const brew = tool({ name: "Tea", description: "A cup.", schema: described, run: () => "" });
    const call: CallOptions = { tools: [brew], maxRetries: 0 };
    const body = await bodyOf((fetch) => model(fetch).invoke("Hi", call));
    expect([count(body, "$schema"), count(body, "A cup."), count(body, '"Tea"')]).toEqual([0, 1, 1]);
  });

  test("for a tool has its schema as it is now", async () => {
    const cities = ["Oslo"];
    const parameters = { type: "object", properties: { city: { type: "string", enum: cities } } };
    const weather = { name: "weather", description: "The weather.", parameters };
    const send = (): Promise<string> =>
      bodyOf((fetch) => model(fetch).invoke("Hi", { tools: [weather], maxRetries: 0 }));
    expect(await send()).toBe(await send());
    cities.push("Rome");
    expect(count(await send(), "Rome")).toBe(1);
  });
});
