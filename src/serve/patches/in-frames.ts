import type { AnyPatchOperation } from "../../json/patch/patch.js";
import { isContainer } from "../../json/value.js";
import { wait } from "../../stream/core/outlet.js";
import { none } from "../../stream/core/ready.js";
import { pendingItem } from "../../stream/core/pending.js";
import { readAhead } from "../../stream/core/read-ahead.js";
import type { Operator } from "../../stream/operator.js";
import type { Clock } from "../../stream/time/clock.js";
import { framesOf } from "./frames.js";
import { type AnyPatch, joinPatches } from "./join-patches.js";

/** A source without pauses is not read further than this ahead. */
const maxWaiting = 1_000;

/**
 * Passes on at most one patch per frame: those that come meanwhile are joined. Patches pass at once until the value shows
 * something, and at the end and before an error nothing waits. A consumer that does not ask stops the source.
 *
 * @param check called with each patch. An error that it throws ends the stream after the patches before
 * @param write makes what is passed on
 */
export function inFrames<Out>(
  clock: Clock,
  check: (patch: unknown) => void,
  write: (patch: AnyPatch) => Out,
): Operator<AnyPatch, Out> {
  return readAhead<AnyPatch, Out>((wake) => {
    const frames = framesOf(clock);
    frames.use();
    const pending = pendingItem<AnyPatch>(joinPatches);
    let waiting = 0;
    let isAsked = false;
    let shows = false;
    let hasShown = false;
    let isDue = false;
    /** Asked, but the frame is open. */
    let isHeld = false;
    const onFrameEnd = (): void => {
      isDue = true;
      wake();
    };
    return {
      put(patch) {
        check(patch);
        waiting++;
        shows ||= patch.some(showsSomething);
        pending.put(patch);
        return !isHeld || waiting >= maxWaiting;
      },
      take(isOver) {
        isAsked = true;
        if (waiting === 0) return none;
        isHeld = hasShown && frames.isOpen() && !isDue && waiting < maxWaiting && !isOver;
        if (isHeld) {
          frames.callAtEnd(onFrameEnd);
          return wait;
        }
        if (shows) frames.begin();
        hasShown = shows;
        waiting = 0;
        isAsked = false;
        isDue = false;
        const taken = pending.take();
        return taken === none ? none : write(taken);
      },
      hasRoom: () => isAsked && waiting < maxWaiting,
      close: () => {
        frames.leave(onFrameEnd);
      },
    };
  });
}

/** Whether there is more to see than an empty object, list or string. */
function showsSomething(operation: AnyPatchOperation): boolean {
  const { value } = operation as { readonly value?: unknown };
  return value !== "" && !(isContainer(value) && Object.keys(value).length === 0);
}
