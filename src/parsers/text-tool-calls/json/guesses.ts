import { isGuess, losesDigits } from "../../../find/sure-document.js";
import type { JsonCoercion } from "../../../json/coercion.js";
import type { JsonRepair, JsonRepairKind } from "../../../json/repair.js";
import { changedNumber } from "../../../messages/merge/other-reading.js";
import { quoted } from "../../../text/cut.js";
import { excerpt } from "../../../text/excerpt.js";

/** The words for the repairs that are guesses. */
const guessed: Readonly<Partial<Record<JsonRepairKind, string>>> = {
  missing_value: "no value",
  ellipsis: "an ellipsis",
  stray_text: "words between members",
  literal: "a number that JSON does not have",
  call: "the call of a function",
  missing_opening: "a key in a list",
};

/** Why a tool must not run: a repair, or a sentence about a number. */
interface Guess {
  readonly offset: number;
  readonly why: JsonRepair | string;
}

/** The guesses on which no tool runs, among the calls of a document. */
export class Guesses {
  /** The text from an offset on. */
  private readonly textFrom: (offset: number) => string;
  /** The first one of the call that is judged next. */
  private first: Guess | undefined;
  /** The last one: it may be of the call after that one. */
  private last: Guess | undefined;

  constructor(textFrom: (offset: number) => string) {
    this.textFrom = textFrom;
  }

  addRepair(repair: JsonRepair): void {
    if (isGuess(repair, this.textFrom)) this.add({ offset: repair.offset, why: repair });
  }

  addCoercion(coercion: JsonCoercion, offset: number): void {
    if (losesDigits(coercion)) this.add({ offset, why: changedNumber(excerpt(coercion.from)) });
  }

  /** Ends a call at an offset. Returns why its tool must not run, if it has a guess. */
  take(end: number): string | undefined {
    const { first, last } = this;
    this.first = [first, last].find((it) => it !== undefined && it.offset >= end);
    return first === undefined || first.offset >= end ? undefined : this.reasonOf(first.why, end);
  }

  private add(guess: Guess): void {
    this.first ??= guess;
    this.last = guess;
  }

  private reasonOf(why: Guess["why"], end: number): string {
    if (typeof why === "string") return why;
    const { kind, offset } = why;
    const found = quoted(
      this.textFrom(offset)
        .slice(0, end - offset)
        .trimEnd(),
      20,
    );
    return `The arguments have ${guessed[kind] ?? "a mistake"} at ${found}, and could be read in several ways. Write them as valid JSON.`;
  }
}
