import { z } from "zod";

/** The title of a schema is the name by which the model calls it; the description says when. */
export const Trip = z
  .object({
    destination: z.string(),
    // Half a time is misleading, so it is shown only whole.
    depart: z.iso.time({ precision: -1 }).meta({ stream: "whole" }),
    pack: z.array(z.string()).min(1),
    reason: z.string(),
  })
  .meta({ title: "Trip", description: "The plan of a trip whose destination is known." });

export const Question = z
  .object({ question: z.string(), suggestions: z.array(z.string()).max(3) })
  .meta({ title: "Question", description: "What has to be known before a trip can be planned." });

/** The result of a run. TypeScript distinguishes the two by their fields. */
export type Answer = z.output<typeof Trip> | z.output<typeof Question>;
