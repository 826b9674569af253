/** A snapshot after each chunk that changed something, of any machine that gives immutable ones. */
export function snapshots<Value>(): Shows<{ snapshot(): Value | undefined }, Value> {
  let last: Value | undefined;
  return {
    show(parser, emit) {
      const snapshot = parser.snapshot();
      if (snapshot === undefined || snapshot === last) return;
      last = snapshot;
      emit(snapshot);
    },
  };
}

/** A patch after each chunk that changed something. */
export function patches<Operation>(): Shows<{ takePatch(): Operation[] }, Operation[]> {
  return {
    show(parser, emit) {
      const patch = parser.takePatch();
      if (patch.length > 0) emit(patch);
    },
  };
}

interface Shows<Parser, Out> {
  show(parser: Parser, emit: (value: Out) => void): void;
}
