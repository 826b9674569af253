import { readFile } from "node:fs/promises";
import { type ChatModel, collect, jsonParser, pipe, tap } from "millrace";
import { z } from "zod";

const orderSchema = z.object({
  customer: z.string().min(1),
  product: z.string().min(1),
  bags: z.int().min(1).max(99),
  kilos: z.number().positive().describe("The weight of one bag."),
});
export type Order = z.output<typeof orderSchema>;

/** The result of a letter. */
export type Outcome = { readonly ok: true; readonly orders: readonly Order[] } | Failure;

export interface Failure {
  readonly ok: false;
  readonly error: string;
}

/** Reads one letter. `onOrder` hears of each order as soon as the model has written it to its end. */
export type Extract = (path: string, onOrder: () => void) => Promise<Outcome>;

/**
 * One letter that cannot be read is no reason to give up the others, so an error is a result here. An abort is not: it
 * is thrown, as it ends all.
 */
export function extractor(model: ChatModel, signal: AbortSignal): Extract {
  const parser = jsonParser(z.object({ orders: z.array(orderSchema) }));
  return async (path, onOrder) => {
    try {
      const letter = await readFile(path, { encoding: "utf8", signal });
      const prompt = `Which orders are in this letter?\n\n${parser.instructions}\n\nThe letter:\n${letter}`;
      // Each order once, as soon as it is complete, checked and typed. What the schema forbids stops the model there.
      const orders = pipe(
        model.stream(prompt, { signal }),
        parser.items("/orders", orderSchema),
        tap(() => {
          onOrder();
        }),
      );
      return { ok: true, orders: await collect(orders) };
    } catch (error) {
      signal.throwIfAborted();
      return { ok: false, error: error instanceof Error ? error.message : String(error) };
    }
  };
}
