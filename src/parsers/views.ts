/** Emits a snapshot after each chunk that changed it, for any parser with immutable snapshots. */
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

/** Emits a patch after each chunk that changed the value. It has no state, so all streams share it. */
export function patches<Operation>(): Shows<{ takePatch(): Operation[] }, Operation[]> {
  return patchView as Shows<{ takePatch(): Operation[] }, Operation[]>;
}

const patchView: Shows<{ takePatch(): unknown[] }, unknown[]> = {
  show(parser, emit) {
    const patch = parser.takePatch();
    if (patch.length > 0) emit(patch);
  },
};

interface Shows<Parser, Out> {
  show(parser: Parser, emit: (value: Out) => void): void;
}
