import { count, counted } from "../../text/counts.js";
import type { DevtoolsOptions } from "./devtools.js";
import { shortJson, type StreamRecord } from "./stream-record.js";
import { styles } from "./styles.js";

export interface DevtoolsPanel {
  add(record: StreamRecord): void;
  changed(): void;
  close(): void;
}

/** The panel in its shadow root. It is written again at most ten times per second, and only while it is open. */
export function devtoolsPanel({ currency = "$", open = false }: DevtoolsOptions): DevtoolsPanel {
  const host = document.createElement("millrace-devtools");
  const button = element("button");
  const list = element("div", "list");
  const records: { readonly record: StreamRecord; readonly view: HTMLElement }[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const amount = (cost: number): string => currency + (cost < 1 ? cost.toPrecision(2) : cost.toFixed(2));
  const show = (): void => {
    timer = undefined;
    let cost = 0;
    let active = 0;
    for (const { record } of records) {
      cost += record.report.tokens?.cost ?? 0;
      if (record.status === "streaming") active++;
    }
    const state = active > 0 ? `${active} streaming` : counted(records.length, "stream");
    button.textContent = `millrace · ${state}${cost > 0 ? ` · ${amount(cost)}` : ""}`;
    button.ariaExpanded = String(!list.hidden);
    if (!list.hidden) for (const { record, view } of records) write(record, view, amount);
  };

  const sheet = element("style");
  sheet.textContent = styles;
  list.hidden = !open;
  button.onclick = () => {
    list.hidden = !list.hidden;
    show();
  };
  const box = element("div", "root");
  box.append(list, button);
  host.attachShadow({ mode: "open" }).append(sheet, box);
  document.body.append(host);
  show();
  return {
    add(record) {
      const view = element("section");
      records.push({ record, view });
      list.append(view);
      show();
    },
    changed() {
      timer ??= setTimeout(show, 100);
    },
    close() {
      clearTimeout(timer);
      host.remove();
    },
  };
}

function write(record: StreamRecord, view: HTMLElement, amount: (cost: number) => string): void {
  const { name, status, report, patches, bytes, renders, reconnects } = record;
  const { repairs, coercions, retries, chunks, model = "", tokens } = report;
  const details = (id: string, lines: readonly string[]): readonly Node[] => {
    if (lines.length === 0) return [];
    const box = element("details");
    box.id = id;
    box.open = view.querySelector(`[open][id="${id}"]`) !== null;
    const list = element("ol");
    list.append(...lines.map((line) => element("li", "", line)));
    box.append(element("summary", "", `${id} (${lines.length})`), list);
    return [box];
  };
  const facts: readonly (string | false)[] = [
    chunks > 0 && counted(chunks, "chunk"),
    counted(patches, "patch", "patches"),
    `${(bytes / 1000).toFixed(1)} kB`,
    counted(renders, "render"),
    reconnects > 0 && counted(reconnects, "reconnect"),
    retries > 0 && counted(retries, "retry", "retries"),
  ];
  const costs: readonly (string | false)[] = [
    model,
    tokens?.inputTokens !== undefined && `${count(tokens.inputTokens)} tokens in`,
    tokens?.outputTokens !== undefined && `${count(tokens.outputTokens)} out`,
    tokens?.cost !== undefined && amount(tokens.cost),
  ];
  const head = element("header");
  head.append(
    element("b", "", name),
    element("span", `status ${status}`, status),
    element("span", "time", `${(record.duration / 1000).toFixed(1)} s`),
  );
  const repaired = repairs.map(({ kind, offset }) => `${kind.replaceAll("_", " ")} at ${offset}`);
  const coerced = coercions.map(
    ({ pointer, kind, from, to }) => `${pointer} ${kind}: ${shortJson(from)} → ${shortJson(to)}`,
  );
  view.replaceChildren(
    head,
    element("p", "facts", joined(facts)),
    element("p", "facts cost", joined(costs)),
    element("p", "error", record.error),
    ...details("repairs", repaired),
    ...details("coercions", coerced),
    ...details("last operations", [...record.operations].reverse()),
  );
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className = "",
  text = "",
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

function joined(parts: readonly (string | false)[]): string {
  return parts.filter((part) => part !== false && part !== "").join(" · ");
}
