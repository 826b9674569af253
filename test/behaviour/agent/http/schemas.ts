import { tool } from "millrace";
import { z } from "zod";

/** The schemas of the examples. */
export const contactInfo = z
  .object({ name: z.string(), email: z.string(), phone: z.string().optional() })
  .meta({ title: "ContactInfo", description: "How a person can be reached." });

export const eventDetails = z
  .object({ title: z.string(), date: z.iso.date() })
  .meta({ title: "EventDetails", description: "What takes place, and when." });

export const productReview = z
  .object({
    rating: z.number().int().min(1).max(5).nullable(),
    sentiment: z.enum(["positive", "negative"]),
    keyPoints: z.array(z.string()),
  })
  .meta({ title: "ProductReview" });

export const complaint = z
  .object({ issue: z.enum(["product", "service", "shipping"]), severity: z.enum(["low", "high"]) })
  .meta({ title: "CustomerComplaint" });

/** A JSON Schema, which is also a valid response format. */
export const meetingAction = {
  title: "MeetingAction",
  type: "object",
  properties: {
    task: { type: "string" },
    assignee: { type: "string" },
    priority: { enum: ["low", "medium", "high"] },
  },
  required: ["task", "assignee", "priority"],
  additionalProperties: false,
};

export const productRating = z
  .object({ rating: z.number().min(1).max(5), comment: z.string() })
  .meta({ title: "ProductRating" });

/** A refinement, which only the schema itself can check, and only at the end. */
export const tripDates = z
  .object({ from: z.iso.date(), to: z.iso.date() })
  .refine(({ from, to }) => from <= to, { message: "The end is before the beginning." })
  .meta({ title: "TripDates" });

export const weather = tool({
  name: "weather",
  schema: z.object({ city: z.string() }),
  run: ({ city }) => `${city}: -4 °C`,
});
