import { setTimeout as sleep } from "node:timers/promises";
import { tool } from "millrace";
import { z } from "zod";

const weather: Readonly<Record<string, string>> = {
  Bergen: "9 °C, rain all day",
  Lillehammer: "-6 °C, snow, clear from noon on",
};

const departures: Readonly<Record<string, readonly string[]>> = {
  Bergen: ["06:25", "08:25", "12:03"],
  Lillehammer: ["07:02", "09:02"],
};

/** The model receives an error that a tool throws, and may try something else. */
export const forecast = tool({
  name: "forecast",
  description: "The weather in a city on a day.",
  schema: z.object({ city: z.string(), day: z.string() }),
  run: ({ city, day }) => {
    if (!Object.hasOwn(weather, city)) throw new Error(`There is no forecast for ${city}.`);
    return `${city}, ${day}: ${weather[city] as string}`;
  },
});

/** A generator yields progress for readers of the run, and returns the result for the model. */
export const trains = tool({
  name: "trains",
  description: "When trains leave from Oslo for a city.",
  schema: z.object({ city: z.string() }),
  async *run({ city }, { signal }) {
    yield "asking the station";
    await sleep(200, undefined, { signal });
    yield "reading the timetable";
    await sleep(200, undefined, { signal });
    return { city, departures: departures[city] ?? [] };
  },
});
