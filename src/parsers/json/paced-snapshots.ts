import { SnapshotPace } from "../../json/snapshot-pace.js";
import type { JsonValue } from "../../json/value.js";
import { snapshots } from "../views.js";
import type { JsonView } from "./json-stage.js";

/** Emits snapshots at a pace at which their cost is linear in the text. */
export function pacedSnapshots(): JsonView<JsonValue> {
  const all = snapshots<JsonValue>();
  const pace = new SnapshotPace();
  return {
    show(parser, emit, characters) {
      pace.add(characters);
      if (pace.isDue(parser.openMembers)) all.show(parser, emit);
    },
    close: (parser, emit) => all.show(parser, emit),
  };
}
