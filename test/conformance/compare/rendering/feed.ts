/** A body that begins with a text, and continues with `feed.rate` pieces per second, each as a chunk of its own. */
export function feed(first: string, piece: (at: number) => string): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let at = 0;
  let due = 0;
  let before = 0;
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(first));
      setInterval(() => {
        const now = performance.now();
        // A page that cannot follow gets what is due at once, as from a network.
        due = feed.rate === 0 ? at : due + ((now - before) * feed.rate) / 1_000;
        before = now;
        for (; at < Math.floor(due); at++) controller.enqueue(encoder.encode(piece(at)));
        feed.sent = at;
      }, 4);
    },
  });
}

/** Pieces per second. */
feed.rate = 0;
/** The number of pieces so far. */
feed.sent = 0;
