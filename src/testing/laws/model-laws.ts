import { isRecord } from "../../messages/loose.js";
import { checkArgument } from "../../text/check-options.js";
import type { MessageChunk } from "../../messages/chunk.js";
import { abortable } from "../../stream/operators/abortable.js";
import { messageOf } from "../../text/excerpt.js";
import { fieldOf } from "../../text/thrown.js";
import { spySource } from "../spy-source.js";
import { everyWay } from "../splits.js";
import { callCases } from "./call-cases.js";
import { demand, type Law } from "./law.js";
import type { ModelWire, WireCall } from "./model-wire.js";
import { sameValue, show } from "./same-value.js";
import { TrialRun, turn } from "./trials.js";
import {
  city,
  hello,
  joinedBytes,
  ModelTrial,
  outcomeOf,
  prefixes,
  summary,
  text,
  thought,
} from "./model-trial.js";

/**
 * Returns the laws that the models and decoders of this package keep, as checks for your own. A check writes answers
 * as the provider does, reads them, and rejects with a `LawError` that says which law is broken and how. The checks
 * need no test framework.
 *
 * 1. Content: texts, reasoning and calls arrive complete and in order.
 * 2. Split-invariant: bytes may be cut anywhere.
 * 3. Cut: an answer without its end is a retryable `ModelError` with the code `cut`, after what arrived.
 * 4. Calls: calls stay apart, with empty, missing or repeated arguments, split names, late ids, and without an index.
 * 5. Usage counts at the end, before and after it.
 * 6. Finish reasons are read in any case. An answer that ended with an error is a `ModelError`, without a reason.
 * 7. Refusals and errors in the stream are reported as such.
 * 8. Limited: a server cannot add unknown fields without end.
 * 9. Abortable, closes once, honest errors: as for operators, at each position of the answer.
 *
 * @example
 * ```ts
 * import { type MessageChunk, map, pipe } from "millrace";
 * import { modelLaws } from "millrace/testing";
 *
 * // A library that yields texts, and an object at the end.
 * const laws = modelLaws<string | { end: string }>({
 *   read: (answer) =>
 *     pipe(
 *       answer,
 *       map((item): MessageChunk => {
 *         if (typeof item === "string") return { content: [{ type: "text", text: item }] };
 *         return { content: [], finishReason: /^stop$/i.test(item.end) ? "stop" : "other", providerFinishReason: item.end };
 *       }),
 *     ),
 *   text: (pieces) => pieces,
 *   end: (word) => [{ end: word }],
 *   reasons: { stop: "stop" },
 *   needsEnd: false,
 *   hasUsage: false,
 * });
 * for (const law of laws) await law.check();
 * ```
 */
export function modelLaws<Item>(wire: ModelWire<Item>): Law[] {
  checkArgument("modelLaws()", "a wire", isRecord(wire), wire);
  const trial = new ModelTrial(wire);
  return [
    ...contentLaws(trial),
    ...callLaws(trial),
    ...endingLaws(trial),
    ...limitLaws(trial),
    ...streamLaws(trial),
  ];
}

function contentLaws<Item>(trial: ModelTrial<Item>): Law[] {
  const { wire } = trial;
  const laws: Law[] = [
    {
      name: "reads texts, reasoning and calls complete and in order",
      async check() {
        const message = trial.complete(await trial.read(trial.answer()));
        const expected = [
          ...(wire.reasoning === undefined ? [] : [`reasoning ${thought.join("")}`]),
          `text ${hello.join("")}`,
          ...(wire.call === undefined ? [] : [`call weather ${city}`, "call time {}"]),
        ];
        const found = message.content.map(summary);
        demand(sameValue(found, expected), "content", `expected ${show(expected)}, but read ${show(found)}`);
      },
    },
    {
      name: "fails with the code cut without the end, after what had arrived",
      async check() {
        const { text: write, end, reasons } = wire;
        const answer = [...trial.start(), ...write(hello, 0), ...end(reasons.stop)];
        const whole = trial.complete(await trial.read(answer));
        for (const part of prefixes(answer)) {
          const { message, error, chunks } = await trial.read(part);
          const where = `after ${part.length} of ${answer.length} items`;
          const found = text(message.content);
          demand(text(whole.content).startsWith(found), "content", `${where}, the text was ${show(found)}`);
          if (error === undefined) {
            const over = wire.needsEnd === false || chunks.some((chunk) => chunk.finishReason !== undefined);
            demand(over, "cut", `${where}, the stream ended without an error`);
          } else {
            const isCut = fieldOf(error, "code") === "cut" && fieldOf(error, "retryable") === true;
            demand(isCut, "cut", `${where}, the error was ${messageOf(error)}`);
          }
        }
      },
    },
  ];
  const bytes = joinedBytes(trial.answer());
  if (bytes === undefined) return laws;
  laws.push({
    name: "is split-invariant: bytes may be cut anywhere",
    async check() {
      const expected = trial.complete(await trial.read(trial.answer()));
      for (const pieces of everyWay(bytes, { count: 30 })) {
        const message = trial.complete(await trial.read(pieces as Item[]));
        const where = `cut at ${pieces.map((piece) => piece.length).join(", ")}`;
        demand(
          sameValue(message, expected),
          "split-invariant",
          `${where}, the message was ${show(message)} instead of ${show(expected)}`,
        );
      }
    },
  });
  return laws;
}

function callLaws<Item>(trial: ModelTrial<Item>): Law[] {
  const { call, callDelta } = trial.wire;
  const laws: Law[] = [];
  if (call !== undefined) {
    const read = async (calls: readonly WireCall[]): Promise<void> => {
      const message = trial.complete(await trial.read(trial.ended(calls.flatMap(call), "tool_calls")));
      const found = message.content.map(summary);
      const expected = calls.map(({ name, args }) => `call ${name} ${args.join("") || "{}"}`);
      demand(sameValue(found, expected), "calls", `wrote ${show(calls)}, but read ${show(found)}`);
      const ids = message.content.flatMap((block) => (block.type === "tool_call" ? [block.id] : []));
      demand(new Set(ids).size === ids.length, "calls", `the ids of calls are ${show(ids)}`);
      const { finishReason } = message;
      demand(finishReason === "tool_calls", "finish-reason", `calls ended with ${show(finishReason)}`);
    };
    laws.push({
      name: "reads the arguments of calls, in any pieces",
      async check() {
        for (const args of everyWay('{"a":1}')) {
          await read([{ id: "c1", name: "f", args }]);
          await read([{ id: "c1", name: "f", args: ["", ...args.flatMap((piece) => [piece, ""])] }]);
        }
      },
    });
    laws.push({
      name: "keeps calls apart that have the same name and arguments, or no arguments",
      async check() {
        for (const args of [[], ["{}"], ['{"a":', "1}"]]) {
          await read([1, 2, 3].map((n) => ({ id: `c${n}`, name: "f", args })));
          await read([1, 2].map((n) => ({ id: `c${n}`, name: `f${n}`, args })));
        }
      },
    });
  }
  if (callDelta === undefined) return laws;
  const cases = callCases.map(({ name, deltas, calls }) => ({
    name: `reads calls ${name}`,
    async check() {
      const message = trial.complete(await trial.read(trial.ended(deltas.flatMap(callDelta), "tool_calls")));
      const found = message.content.map(summary);
      demand(sameValue(found, calls), "calls", `${name}: wrote ${show(deltas)}, but read ${show(found)}`);
    },
  }));
  return [...laws, ...cases];
}

function endingLaws<Item>(trial: ModelTrial<Item>): Law[] {
  const { wire } = trial;
  const { usageBefore, usageAfter, refusal, error: failure, reasons } = wire;
  const begun = (): readonly Item[] => [...trial.start(), ...wire.text(hello, 0)];
  const laws: Law[] = [
    {
      name: "maps finish reasons in any case, and keeps the provider's word",
      async check() {
        const known = Object.entries(reasons).filter(([reason]) => reason !== "error");
        for (const [reason, own] of [...known, ["other", "word-of-tomorrow"] as const]) {
          for (const word of [own, own.toLowerCase(), own.toUpperCase()]) {
            const message = trial.complete(await trial.read([...begun(), ...wire.end(word)]));
            const found = [message.finishReason, message.providerFinishReason];
            demand(sameValue(found, [reason, word]), "finish-reason", `${word} was read as ${show(found)}`);
          }
        }
      },
    },
  ];
  if (wire.hasUsage !== false) {
    laws.push({
      name: "reads usage at the end, before it and after it",
      async check() {
        const usage = { inputTokens: 3, outputTokens: 5 };
        const { stop } = reasons;
        const ways = [
          [...begun(), ...wire.end(stop, usage)],
          usageBefore && [...trial.start(), ...usageBefore(usage), ...wire.text(hello, 0), ...wire.end(stop)],
          usageAfter && [...begun(), ...wire.end(stop), ...usageAfter(usage)],
        ];
        for (const [place, items] of ways.entries()) {
          if (items === undefined) continue;
          const { usage: found } = trial.complete(await trial.read(items));
          const where = ["at", "before", "after"][place] ?? "";
          const counts = { inputTokens: found?.inputTokens, outputTokens: found?.outputTokens };
          demand(sameValue(counts, usage), "usage", `${where} the end, usage was read as ${show(found)}`);
        }
      },
    });
  }
  const { error: errorWord } = reasons;
  if (errorWord !== undefined) {
    laws.push({
      name: "fails if the answer ended with an error, after its content and without a finish reason",
      async check() {
        for (const word of [errorWord, errorWord.toLowerCase(), errorWord.toUpperCase()])
          trial.failed(await trial.read([...begun(), ...wire.end(word)]), word);
      },
    });
  }
  if (failure !== undefined) {
    laws.push({
      name: "fails at an error in the stream, after its content and without a finish reason",
      async check() {
        trial.failed(
          await trial.read([...begun(), ...failure("it broke"), ...wire.end(reasons.stop)]),
          "it broke",
        );
        const { chunks, error } = await trial.read([...trial.start(), ...failure("it broke")]);
        const early = chunks.length === 0 && fieldOf(error, "code") === "provider";
        demand(
          early,
          "honest-errors",
          `an error before the content gave ${show(chunks)} and ${messageOf(error)}`,
        );
      },
    });
  }
  if (refusal !== undefined) {
    laws.push({
      name: "reads a refusal",
      async check() {
        for (const pieces of [["I cannot."], ["I ", "can", "not."]]) {
          const message = trial.complete(await trial.read([...trial.start(), ...refusal(pieces)]));
          const found = message.refusal;
          demand(found === "I cannot.", "refusal", `a refusal was read as ${show(message)}`);
        }
      },
    });
  }
  return laws;
}

function limitLaws<Item>(trial: ModelTrial<Item>): Law[] {
  const { wire } = trial;
  const { field } = wire;
  if (field === undefined) return [];
  const items = (count: number, nameOf: (n: number) => string): Item[] =>
    Array.from({ length: count }, (_, n) => field(nameOf(n), "v", n)).flat();
  return [
    {
      name: "keeps unknown fields as metadata, but not without end",
      async check() {
        const complete = async (count: number, nameOf: (n: number) => string): Promise<string> => {
          const all = [...trial.start(), ...items(count, nameOf), ...wire.end(wire.reasons.stop)];
          return JSON.stringify(trial.complete(await trial.read(all)));
        };
        const kept = await complete(200, (n) => `k${n}`);
        const lost = Array.from({ length: 200 }, (_, n) => `k${n}`).filter(
          (name) => !kept.includes(`"${name}"`),
        );
        demand(lost.length === 0, "limited", `the fields ${show(lost)} of 200 were lost`);
        await complete(500, (n) => `k${n % 100}`);

        const source = spySource([...trial.start(), ...items(tooMany, (n) => `k${n}`)]);
        const { error } = await outcomeOf(wire.read(source));
        const refused = fieldOf(error, "code") === "protocol" && source.pulls < tooMany;
        demand(
          refused,
          "limited",
          `${source.pulls} of ${tooMany} fields were read, and the error was ${messageOf(error)}`,
        );
      },
    },
  ];
}

const tooMany = 1_000;

/** The laws of a stream at each position of the answer. The source may be read ahead, as a body is. */
function streamLaws<Item>(trial: ModelTrial<Item>): Law[] {
  const { wire } = trial;
  const answer = trial.answer();
  const positions = Array.from({ length: answer.length + 1 }, (_, position) => answer.slice(0, position));
  return [
    {
      name: "is abortable while the answer hangs, and closes it",
      async check() {
        const reason = new Error("aborted");
        for (const items of positions) {
          const source = spySource(items, { then: "hang" });
          const controller = new AbortController();
          const run = new TrialRun(abortable<MessageChunk>(controller.signal)(wire.read(source)), turn, 4);
          let pending: Promise<IteratorResult<MessageChunk>>;
          let kind: string;
          do {
            pending = run.iterator.next();
            ({ kind } = await run.answer(pending));
          } while (kind === "item");
          if (kind !== "silence") continue; // the answer was complete
          controller.abort(reason);
          const last = await run.answer(pending);
          const found = last.kind === "error" && last.error === reason;
          demand(found, "abortable", `an abort after ${items.length} items was answered with ${show(last)}`);
          await turn();
          demand(
            source.open === 0,
            "closes-once",
            `after an abort at item ${items.length}, the answer is open`,
          );
        }
      },
    },
    {
      name: "closes the answer once when its consumer leaves",
      async check() {
        const { chunks } = await trial.read(answer);
        for (let taken = 1; taken <= chunks.length; taken++) {
          const source = spySource(answer);
          let left = taken;
          for await (const _ of wire.read(source)) if (--left === 0) break;
          await turn();
          demand(source.open === 0, "closes-once", `left after ${taken} chunks, the answer is open`);
          const once = source.returns <= 1;
          demand(once, "closes-once", `left after ${taken} chunks, it was closed ${source.returns} times`);
        }
      },
    },
    {
      name: "fails when the answer breaks, after what had arrived",
      async check() {
        for (const items of positions) {
          const whole = await trial.read(items);
          const error = new Error("broken");
          const broken = await outcomeOf(wire.read(spySource(items, { then: { error } })));
          const where = `broken after ${items.length} items`;
          demand(
            text(whole.message.content).startsWith(text(broken.message.content)),
            "content",
            `${where}, the content was ${show(broken.chunks)}`,
          );
          if (broken.error === undefined) {
            const ended = broken.chunks.some((chunk) => chunk.finishReason !== undefined);
            demand(ended, "honest-errors", `${where}, there was no error`);
            continue;
          }
          const known = broken.error === error || fieldOf(broken.error, "name") === "ModelError";
          demand(known, "honest-errors", `${where}, the error was ${messageOf(broken.error)}`);
        }
      },
    },
  ];
}
