/** One server-sent event (WHATWG HTML, section 9.2), as far as a stream of patches has use for it. */
export interface SseEvent {
  readonly event: string | undefined;
  readonly id: string | undefined;
  readonly data: string;
}

/**
 * The machine that reads server-sent events, cut anywhere. What the models' side uses (`eventsource-parser`, behind
 * `decodeSse()`) is a third of what the whole client may weigh; this is its small brother, and is tested against it.
 *
 * @returns takes the text as it comes and gives the events that it completes, and how many characters are held back
 */
export function sseReader(): (text: string) => { readonly events: SseEvent[]; readonly held: number } {
  let rest = "";
  let afterReturn = false;
  let event: string | undefined;
  let id: string | undefined;
  let data: string | undefined;
  return (text) => {
    const events: SseEvent[] = [];
    if (text !== "") {
      // CR LF is one end of a line, also when it is cut in two.
      const [first, ...lines] = (afterReturn && text.startsWith("\n") ? text.slice(1) : text).split(
        /\r\n|\n|\r/,
      );
      afterReturn = text.endsWith("\r");
      lines.unshift(rest + (first as string));
      rest = lines.pop() as string;
      for (const line of lines) {
        if (line === "") {
          if (data !== undefined) events.push({ event, id, data });
          event = id = data = undefined;
          continue;
        }
        const [, field, value] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) as unknown as [string, string, string?];
        if (field === "data") data = (data === undefined ? "" : `${data}\n`) + (value ?? "");
        else if (field === "event") event = value === "" ? undefined : value;
        else if (field === "id") id = value ?? "";
      }
    }
    return { events, held: rest.length + (data?.length ?? 0) };
  };
}
