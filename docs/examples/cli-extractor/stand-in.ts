import { lastQuestion, type StandIn } from "../support/connect.js";

/**
 * Reads letters by a rule: who signs, and lines such as `- 2 x rye flour, 5 kg`. A real model reads letters of any
 * form.
 */
export const standIn: StandIn = (request) => {
  const [, letter = ""] = lastQuestion(request).split("The letter:\n");
  const customer = letter.trim().split("\n").at(-1) ?? "";
  const orders = [...letter.matchAll(/^- (\d+) x (.+), ([\d.]+) kg$/gm)].map(([, bags, product, kilos]) => ({
    customer,
    product,
    bags: Number(bags),
    kilos: Number(kilos),
  }));
  if (orders.length === 0) return { content: "There is no order in this letter." };
  return { content: JSON.stringify({ orders }, null, 1) };
};
