/**
 * Finds the end of a document type, behind its `<!DOCTYPE`. What it declares is not looked at: nothing is loaded, and no
 * entity is ever expanded. Quotes, comments and instructions in it may have a `>` of their own.
 */
export class DocumentType {
  private state = OUTSIDE;
  private quote = "";

  /** @returns the place behind the end, or -1 if the text ends before it */
  read(text: string, start: number): number {
    for (let i = start; i < text.length; i++) {
      const character = text[i] as string;
      switch (this.state) {
        case OUTSIDE:
          if (character === ">") return i + 1;
          if (character === "[") this.state = SUBSET;
          else if (isQuote(character)) this.openQuote(character, QUOTED);
          break;
        case SUBSET:
          if (character === "]") this.state = OUTSIDE;
          else if (character === "<") this.state = OPENING;
          else if (isQuote(character)) this.openQuote(character, QUOTED_IN_SUBSET);
          break;
        case QUOTED:
          if (character === this.quote) this.state = OUTSIDE;
          break;
        case QUOTED_IN_SUBSET:
          if (character === this.quote) this.state = SUBSET;
          break;
        case OPENING:
          this.state = character === "!" ? DECLARATION : character === "?" ? INSTRUCTION : SUBSET;
          break;
        case DECLARATION:
          this.state = character === "-" ? COMMENT_OPENING : SUBSET;
          break;
        case COMMENT_OPENING:
          this.state = character === "-" ? COMMENT : SUBSET;
          break;
        case COMMENT:
          if (character === "-") this.state = COMMENT_DASH;
          break;
        case COMMENT_DASH:
          this.state = character === "-" ? COMMENT_DASHES : COMMENT;
          break;
        case COMMENT_DASHES:
          this.state = character === ">" ? SUBSET : COMMENT;
          break;
        case INSTRUCTION:
          if (character === "?") this.state = INSTRUCTION_ENDING;
          break;
        case INSTRUCTION_ENDING:
          // saxes ends one at the first ">" behind a "?", wherever that is.
          if (character === ">") this.state = SUBSET;
          break;
      }
    }
    return -1;
  }

  private openQuote(quote: string, state: number): void {
    this.quote = quote;
    this.state = state;
  }
}

const OUTSIDE = 0; // <!DOCTYPE a
const QUOTED = 1; // <!DOCTYPE a SYSTEM "
const SUBSET = 2; // <!DOCTYPE a [
const QUOTED_IN_SUBSET = 3; // [ "
const OPENING = 4; // [ <
const DECLARATION = 5; // [ <!
const COMMENT_OPENING = 6; // [ <!-
const COMMENT = 7; // [ <!--
const COMMENT_DASH = 8; // [ <!-- -
const COMMENT_DASHES = 9; // [ <!-- --
const INSTRUCTION = 10; // [ <?
const INSTRUCTION_ENDING = 11; // [ <? ?

function isQuote(character: string): boolean {
  return character === '"' || character === "'";
}
