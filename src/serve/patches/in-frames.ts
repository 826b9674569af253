import type { AnyPatchOperation } from "../../json/patch/patch.js";
import { isContainer } from "../../json/value.js";
import { end, wait } from "../../stream/core/outlet.js";
import { pendingItem } from "../../stream/core/pending.js";
import { readAhead } from "../../stream/core/read-ahead.js";
import type { Operator } from "../../stream/operator.js";
import type { Clock } from "../../stream/time/clock.js";
import { type AnyPatch, joinPatches } from "./join-patches.js";

/** Milliseconds of a frame of a screen: a page shows at once what arrives in it. */
const frame = 16;

/** A process that gets many patches makes longer frames, because most of its time is spent on writes to sockets. */
const longestFrame = 40;

/** Up to so many patches in a millisecond, over all responses, frames are short. */
const few = 12;

/** Milliseconds over which patches are counted. */
const countedTime = 250;

/** A source without pauses is not read further than this ahead. */
const maxWaiting = 1_000;

/**
 * Passes on at most one patch per frame: those that come meanwhile are joined. Patches pass at once until the value shows
 * something, and at the end and before an error nothing waits. A consumer that does not ask stops the source.
 *
 * @param check called with each patch. An error that it throws ends the stream after the patches before
 */
export function inFrames(clock: Clock, check: (patch: unknown) => void): Operator<AnyPatch, AnyPatch> {
  const load = loadOf(clock);
  return readAhead<AnyPatch, AnyPatch>((wake) => {
    const pending = pendingItem<AnyPatch>(joinPatches);
    let waiting = 0;
    let isAsked = false;
    let isShown = false;
    let notBefore = -Infinity;
    let timer: unknown;
    const onFrame = (): void => {
      timer = undefined;
      wake();
    };
    return {
      put(patch) {
        check(patch);
        waiting++;
        load.patches++;
        isShown ||= patch.some(showsSomething);
        pending.put(patch);
      },
      take(isOver) {
        isAsked = true;
        if (waiting === 0) return end;
        const now = clock.now();
        if (now < notBefore && waiting < maxWaiting && !isOver) {
          timer ??= unhurried(clock.setTimeout(onFrame, notBefore - now));
          return wait;
        }
        if (isShown) notBefore = now + frameAt(now, load);
        waiting = 0;
        isAsked = false;
        return pending.take();
      },
      hasRoom: () => isAsked && waiting < maxWaiting,
      close: () => {
        if (timer !== undefined) clock.clearTimeout(timer);
      },
    };
  });
}

/** Whether there is more to see than an empty object, list or string. */
function showsSomething(operation: AnyPatchOperation): boolean {
  const { value } = Object(operation) as { readonly value?: unknown };
  return value !== "" && !(isContainer(value) && Object.keys(value).length === 0);
}

/** A timer that keeps no process alive. */
function unhurried(timer: unknown): unknown {
  (timer as { unref?: () => void } | undefined)?.unref?.();
  return timer;
}

/** The patches of all responses with one clock, which is that of the process except in tests. */
interface Load {
  since: number;
  /** Since then. */
  patches: number;
  frame: number;
}

const loads = new WeakMap<Clock, Load>();

function loadOf(clock: Clock): Load {
  const load = loads.get(clock) ?? { since: clock.now(), patches: 0, frame };
  loads.set(clock, load);
  return load;
}

/** Counts what came, not what was sent: otherwise long frames would make short ones. */
function frameAt(now: number, load: Load): number {
  const time = now - load.since;
  if (time >= countedTime) {
    load.frame = Math.min(Math.max(load.patches / time / few, 1) * frame, longestFrame);
    load.since = now;
    load.patches = 0;
  }
  return load.frame;
}
