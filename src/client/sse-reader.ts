/** The fields of a server-sent event (WHATWG HTML, section 9.2) that a stream of patches uses. */
export interface PatchSseEvent {
  readonly event: string | undefined;
  readonly id: string | undefined;
  readonly data: string;
}

/**
 * Creates an incremental reader of server-sent events. `decodeSse()` uses `eventsource-parser`, which would be a third
 * of the client's byte limit. This smaller reader is tested against it.
 *
 * @returns a function that takes a chunk and returns the completed events and the number of buffered characters
 */
export function sseReader(): (text: string) => { readonly events: PatchSseEvent[]; readonly held: number } {
  let rest = "";
  let afterReturn = false;
  let event: string | undefined;
  let id: string | undefined;
  let data: string | undefined;
  return (text) => {
    const events: PatchSseEvent[] = [];
    if (text !== "") {
      // CR LF is one line end, even if a chunk boundary splits it.
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
