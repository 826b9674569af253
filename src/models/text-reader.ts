/**
 * Pieces of a text, as bytes (UTF-8, cut anywhere) or as strings, to the text without its byte order mark. Malformed
 * bytes become U+FFFD, as every decoder of the web does it.
 */
export class TextReader {
  private readonly decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  private started = false;

  read(chunk: Uint8Array | string): string {
    return this.withoutMark(typeof chunk === "string" ? chunk : this.decoder.decode(chunk, { stream: true }));
  }

  /** What the last bytes still held back. */
  end(): string {
    return this.withoutMark(this.decoder.decode());
  }

  private withoutMark(text: string): string {
    if (this.started || text === "") return text;
    this.started = true;
    return text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text;
  }
}

const byteOrderMark = 0xfeff;
