import { recipeSchema, recipeText } from "../../commands/demo/recipe.js";
import { from } from "../../../stream/sources/from.js";
import { last } from "../../../stream/collect.js";
import { pipe } from "../../../stream/pipe.js";
import { parserFor } from "../../commands/parser-for.js";
import { cutText } from "./cut-text.js";
import { readAgain } from "./read-again.js";

/** Parses a document a few times, so the page's times do not include JIT compilation. */
export async function warmUp(): Promise<void> {
  for (const schema of [undefined, recipeSchema]) {
    const { patches } = parserFor(schema, { append: true });
    for (let seed = 0; seed < 20; seed++) {
      await last(pipe(from(cutText(recipeText, { by: "tokens", seed })), patches));
      readAgain(recipeText, false);
    }
  }
}
