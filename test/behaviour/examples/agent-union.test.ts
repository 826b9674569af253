import { describe } from "vitest";
import { test } from "./support/program.js";

const program = "agent-union/main.ts";

describe.concurrent("the agent with two tools and two schemas", () => {
  test("runs both tools, and plans a trip with their results", async ({ expect, start }) => {
    const { stdout, ended } = await start(program, ["A day in Lillehammer on Sunday, please."]);
    expect(await ended).toBe(0);
    const printed = stdout.all.join("\n");
    expect(printed).toContain('  trains: starts with {"city":"Lillehammer"}\n');
    expect(printed).toContain('  forecast: starts with {"city":"Lillehammer","day":"Sunday"}\n');
    expect(printed).toContain('  forecast: gives "Lillehammer, Sunday: -6 °C, snow, clear from noon on"\n');
    expect(printed).toContain('  trains: gives {"city":"Lillehammer","departures":["07:02","09:02"]}\n');
    expect(stdout.all.at(-2)).toBe(
      "Trip: to Lillehammer at 07:02, with skis and a thermos. The snow is fresh, and the day is clear.",
    );
    expect(stdout.all.at(-1)).toBe("The run has ended at step 2: structured.");

    const partials = stdout.all
      .filter((line) => line.startsWith("  {"))
      .map((line) => JSON.parse(line) as Trip);
    expect(partials.length).toBeGreaterThan(5);
    expect(new Set(partials.map(({ depart }) => depart))).toEqual(new Set([undefined, "07:02"]));
    expect(partials.map(({ reason = "" }) => reason.length)).toEqual(
      partials.map(({ reason = "" }) => reason.length).toSorted((a, b) => a - b),
    );
  });

  test("starts a tool while the model still writes the next call", async ({ expect, start }) => {
    const { stdout, ended } = await start(program);
    expect(await ended).toBe(0);
    const at = (line: string): number => stdout.all.indexOf(`  ${line}`);
    expect(at('trains: starts with {"city":"Bergen"}')).toBeGreaterThan(-1);
    expect(at('trains: starts with {"city":"Bergen"}')).toBeLessThan(at("forecast: the model begins a call"));
  });

  test("asks for missing information", async ({ expect, start }) => {
    const { stdout, ended } = await start(program, ["A day out, somewhere."]);
    expect(await ended).toBe(0);
    expect(stdout.all.slice(-2)).toEqual([
      "Question: Where would you like to go? (Bergen, Lillehammer?)",
      "The run has ended at step 1: structured.",
    ]);
  });

  test("sends the error of a tool to the model, which then asks", async ({ expect, start }) => {
    const { stdout, ended } = await start(program, ["A day in Narvik, please."]);
    expect(await ended).toBe(0);
    expect(stdout.all).toContainEqual(expect.stringMatching(/^ {2}forecast: .*Error: .*Narvik/));
    expect(stdout.all.at(-2)).toBe("Question: No train goes to Narvik. Where else? (Bergen, Lillehammer?)");
  });

  test("ends on Ctrl-C", async ({ expect, start }) => {
    const { stdout, stderr, ended, kill } = await start(program);
    await stdout.like(/^step 1$/);
    kill("SIGINT");
    expect(await ended).toBe(1);
    expect(stderr.all).toEqual(["Interrupted."]);
  });
});

interface Trip {
  readonly depart?: string;
  readonly reason?: string;
}
