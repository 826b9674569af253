import { checkObject } from "../../text/check-options.js";
import type { JsonValue } from "../../json/value.js";
import type {
  StoredThread,
  ThreadKey,
  ThreadStore,
  ThreadSummary,
} from "../../thread/stores/thread-store.js";
import type { ThreadRecord } from "../../thread/thread-record.js";
import { fieldOf } from "../../text/thrown.js";
import { demand, type Law, lawNames, rejectionOf } from "./law.js";
import { sameValue, show } from "./same-value.js";

/** The options of `threadLaws()`. */
export interface ThreadLawOptions {
  /** Opens the store. The laws open it several times, as several processes do. */
  readonly open: () => ThreadStore | Promise<ThreadStore>;
  /** The maximum size of a thread that the store was created with, in characters of JSON. Without it, not checked. */
  readonly maxSize?: number;
  /** The maximum number of threads of an owner that the store was created with. Without it, not checked. */
  readonly maxThreads?: number;
}

/**
 * Returns the laws that every store of threads keeps, as checks for your own. A check rejects with a `LawError` that says
 * which law is broken and how. The checks need no test framework.
 *
 * 1. What was saved is loaded, also by another process, with the version that `save()` resolved with.
 * 2. Of changes to one version, a single one is saved; the others reject with `conflict` and change nothing.
 * 3. A thread is found by its owner and its id only, whatever characters they have.
 * 4. The list of an owner has the threads that were changed last first, and pages of it have each once.
 * 5. A removed thread is gone, also after a save at the same time, and a save with its version is a `conflict`.
 * 6. A thread over `maxSize` and one over `maxThreads` are refused, and change nothing.
 *
 * @example
 * ```ts
 * import { memoryThreads } from "millrace/thread";
 * import { threadLaws } from "millrace/testing";
 *
 * const store = memoryThreads();
 * for (const law of threadLaws({ open: () => store })) await law.check();
 * ```
 */
export function threadLaws(options: ThreadLawOptions): Law[] {
  checkObject("threadLaws()", options);
  const { open, maxSize, maxThreads } = options;
  const nextName = lawNames();
  /** A key that no other law uses. */
  const begin = (): ThreadKey => ({ owner: nextName(), id: "thread" });

  return [
    {
      name: "loads what was saved, with its version",
      async check() {
        const key = begin();
        const [one, two] = [await open(), await open()];
        demand(
          (await one.load(key)) === undefined,
          "json-values",
          "a thread that was never saved was loaded",
        );
        let version: string | undefined;
        for (const value of [...texts, { deep: { list: [1, null, true] } }]) {
          const record = recordOf(value);
          version = await one.save(key, record, version);
          const loaded = await two.load(key);
          demand(
            loaded?.version === version,
            "json-values",
            `the version ${show(loaded?.version)} was loaded`,
          );
          const same = sameValue(loaded?.record, JSON.parse(JSON.stringify(record)));
          demand(same, "json-values", `${show(loaded?.record)} was loaded for ${show(record)}`);
        }
      },
    },
    {
      name: "saves one of several changes to a version",
      async check() {
        const key = begin();
        let version: string | undefined;
        for (let round = 0; round < 5; round++) {
          const stores = await Promise.all(Array.from({ length: 8 }, async () => open()));
          const before = version;
          const saves = await Promise.allSettled(
            stores.map((store, at) => store.save(key, recordOf(`${round}.${at}`), before)),
          );
          const saved = saves.flatMap((it, at) =>
            it.status === "fulfilled" ? [{ at, version: it.value }] : [],
          );
          demand(
            saved.length === 1,
            "compare-and-set",
            `${saved.length} of 8 changes to one version were saved`,
          );
          for (const it of saves) if (it.status === "rejected") demandCode(it.reason, "conflict");
          const [only] = saved as [{ at: number; version: string }];
          const loaded = (await stores[0]?.load(key)) as StoredThread;
          const expected = `${round}.${only.at}`;
          demand(
            loaded.version === only.version && loaded.record.title === expected,
            "compare-and-set",
            `${show(loaded.record.title)} was loaded, but ${expected} was saved`,
          );
          version = only.version;
        }
      },
    },
    {
      name: "refuses a change to an old version, and to a thread that is not there",
      async check() {
        const key = begin();
        const store = await open();
        const first = await store.save(key, recordOf("1"), undefined);
        await store.save(key, recordOf("2"), first);
        for (const version of [first, undefined, "other"])
          demandCode(await rejectionOf(store.save(key, recordOf("3"), version)), "conflict");
        demand(
          (await store.load(key))?.record.title === "2",
          "compare-and-set",
          "a refused change was saved",
        );
        demandCode(await rejectionOf(store.save({ ...key, id: "none" }, recordOf("1"), first)), "conflict");
      },
    },
    {
      name: "finds a thread by its owner and its id only",
      async check() {
        const { owner } = begin();
        const store = await open();
        const owners = [
          "",
          "%",
          "A",
          "a",
          "a:b",
          "a/b",
          "../a",
          "a b",
          "é",
          "e\u0301",
          "😀",
          "\u0001",
          "{a}",
          "a%3Ab",
        ];
        const ids = ["a", "A", "a.b", "a-b", "a~b", "-", "_"];
        for (const one of owners)
          for (const id of ids)
            await store.save({ owner: owner + one, id }, recordOf(`${one} ${id}`), undefined);
        for (const one of owners) {
          for (const id of ids) {
            const found = (await store.load({ owner: owner + one, id }))?.record.title;
            demand(
              found === `${one} ${id}`,
              "own-threads",
              `the thread ${show([one, id])} has the title ${show(found)}`,
            );
          }
          const listed = (await store.list(owner + one)).map(({ id }) => id).sort();
          demand(
            sameValue(listed, [...ids].sort()),
            "own-threads",
            `the owner ${show(one)} has ${show(listed)}`,
          );
        }
      },
    },
    {
      name: "lists the threads that were changed last first",
      async check() {
        const { owner } = begin();
        const store = await open();
        for (const [at, id] of ["a", "b", "c", "d"].entries())
          await store.save({ owner, id }, recordOf(id, base + at), undefined);
        const { version } = (await store.load({ owner, id: "a" })) as StoredThread;
        await store.save({ owner, id: "a" }, recordOf("a", base + 10), version);
        const listed = await store.list(owner);
        const expected = ["a", "d", "c", "b"];
        demand(
          sameValue(
            listed.map(({ id }) => id),
            expected,
          ),
          "listed",
          `the list is ${show(listed)}`,
        );
        const first = listed[0];
        const head = { id: "a", title: "a", status: "idle", updatedAt: base + 10 };
        demand(sameValue(first, head), "listed", `the list has ${show(first)}`);
        for (const id of ["e", "E", "e.1"])
          await store.save({ owner, id }, recordOf(id, base + 2), undefined);
        const all = await store.list(owner);
        const paged: ThreadSummary[] = [];
        while (paged.length < all.length) {
          const after = paged.at(-1);
          const [next] = await store.list(owner, { limit: 1, ...(after && { after }) });
          demand(next !== undefined, "listed", `nothing is listed after ${show(after)}`);
          paged.push(next);
        }
        demand(sameValue(paged, all), "listed", `in pages, the list is ${show(paged)}`);
      },
    },
    {
      name: "forgets a thread that was removed",
      async check() {
        const key = begin();
        const store = await open();
        const version = await store.save(key, recordOf("1"), undefined);
        demand(await store.remove(key), "own-threads", "remove() did not find the thread");
        demand(!(await store.remove(key)), "own-threads", "a thread was removed twice");
        demand((await store.load(key)) === undefined, "own-threads", "a removed thread was loaded");
        demand((await store.list(key.owner)).length === 0, "own-threads", "a removed thread is in the list");
        demandCode(await rejectionOf(store.save(key, recordOf("2"), version)), "conflict");
        let latest = await store.save(key, recordOf("3"), undefined);
        for (let loads = 0; loads < 30; loads++) {
          const saved = store.save(key, recordOf("4"), latest).catch(demandConflict);
          for (let at = 0; at < loads; at++) await store.load(key);
          await store.remove(key);
          await saved;
          demand(
            (await store.load(key)) === undefined,
            "own-threads",
            "a thread was loaded that was removed during a save",
          );
          latest = await store.save(key, recordOf("5"), undefined);
        }
      },
    },
    ...(maxSize === undefined ? [] : [refusesLongThreads(begin, open, maxSize)]),
    ...(maxThreads === undefined ? [] : [refusesManyThreads(begin, open, maxThreads)]),
  ];
}

function refusesLongThreads(begin: () => ThreadKey, open: ThreadLawOptions["open"], maxSize: number): Law {
  return {
    name: "refuses a thread that is too large",
    async check() {
      const key = begin();
      const store = await open();
      const record = recordOf("1");
      const { length } = JSON.stringify(record);
      const version = await store.save(
        key,
        { ...record, title: `1${"x".repeat(maxSize - length)}` },
        undefined,
      );
      const longer = { ...record, title: `1${"x".repeat(maxSize - length + 1)}` };
      demandCode(await rejectionOf(store.save(key, longer, version)), "too_large");
      demand((await store.load(key))?.version === version, "limited", "a refused change was saved");
    },
  };
}

function refusesManyThreads(begin: () => ThreadKey, open: ThreadLawOptions["open"], maxThreads: number): Law {
  return {
    name: "refuses another thread of an owner who has enough",
    async check() {
      const { owner } = begin();
      const store = await open();
      let version = "";
      for (let at = 0; at < maxThreads; at++)
        version = await store.save({ owner, id: `t${at}` }, recordOf("1"), undefined);
      demandCode(
        await rejectionOf(store.save({ owner, id: "more" }, recordOf("1"), undefined)),
        "too_many_threads",
      );
      await store.save({ owner, id: `t${maxThreads - 1}` }, recordOf("2"), version);
      await store.remove({ owner, id: "t0" });
      await store.save({ owner, id: "more" }, recordOf("1"), undefined);
      await store.save({ owner: `${owner} other`, id: "t0" }, recordOf("1"), undefined);
    },
  };
}

/** Texts that a place may change. */
const texts = ["", "a\nb\r\n\t", "é 😀 \u2028", "'; drop table threads; --", '%s {0} \\ "', "null", " x "];

const base = 1_700_000_000_000;

/** A thread with a value that a store must keep. */
function recordOf(value: JsonValue, updatedAt = base): ThreadRecord {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return {
    title: text,
    createdAt: base,
    updatedAt,
    status: "idle",
    state: {
      messages: [{ role: "user", content: [{ type: "text", text }], metadata: { value } }],
      step: 0,
      retries: 0,
      status: "finished",
    },
  };
}

function demandConflict(error: unknown): void {
  demandCode(error, "conflict");
}

function demandCode(error: unknown, code: string): void {
  const found = fieldOf(error, "code");
  const law = code === "conflict" ? "compare-and-set" : "limited";
  demand(
    found === code,
    law,
    `a change was expected to be refused with ${code}, but ended with ${show(found)}`,
  );
}
