import { count, counted } from "../../text/counts.js";
import type { DevtoolsOptions } from "./devtools.js";
import { shortJson, type StreamRecord } from "./stream-record.js";
import { styles } from "./styles.js";

/** The panel in its shadow root. It is written again at most ten times per second, and only while it is open. */
export class DevtoolsPanel {
  private readonly host = document.createElement("millrace-devtools");
  private readonly button = element("button");
  private readonly list = element("div", "list");
  private readonly records: { readonly record: StreamRecord; readonly view: HTMLElement }[] = [];
  private readonly currency: string;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor({ currency = "$", open = false }: DevtoolsOptions) {
    this.currency = currency;
    const root = this.host.attachShadow({ mode: "open" });
    const sheet = element("style");
    sheet.textContent = styles;
    this.list.hidden = !open;
    this.button.onclick = () => {
      this.list.hidden = !this.list.hidden;
      this.show();
    };
    const box = element("div", "root");
    box.append(this.list, this.button);
    root.append(sheet, box);
    document.body.append(this.host);
    this.show();
  }

  add(record: StreamRecord): void {
    const view = element("section");
    this.records.push({ record, view });
    this.list.append(view);
    this.show();
  }

  changed(): void {
    this.timer ??= setTimeout(() => this.show(), 100);
  }

  close(): void {
    clearTimeout(this.timer);
    this.host.remove();
  }

  private show(): void {
    this.timer = undefined;
    let cost = 0;
    let active = 0;
    for (const { record } of this.records) {
      cost += record.report.tokens?.cost ?? 0;
      if (record.status === "streaming") active++;
    }
    const state = active > 0 ? `${active} streaming` : counted(this.records.length, "stream");
    this.button.textContent = `millrace · ${state}${cost > 0 ? ` · ${this.amount(cost)}` : ""}`;
    this.button.ariaExpanded = String(!this.list.hidden);
    if (!this.list.hidden) for (const { record, view } of this.records) this.write(record, view);
  }

  private write(record: StreamRecord, view: HTMLElement): void {
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
      tokens?.cost !== undefined && this.amount(tokens.cost),
    ];
    const head = element("header");
    head.append(
      element("b", "", name),
      element("span", `status ${status}`, status),
      element("span", "time", `${(record.duration / 1000).toFixed(1)} s`),
    );
    view.replaceChildren(
      head,
      element("p", "facts", joined(facts)),
      element("p", "facts cost", joined(costs)),
      element("p", "error", record.error),
      ...details(
        "repairs",
        repairs.map(({ kind, offset }) => `${kind.replaceAll("_", " ")} at ${offset}`),
      ),
      ...details(
        "coercions",
        coercions.map(
          ({ pointer, kind, from, to }) => `${pointer} ${kind}: ${shortJson(from)} → ${shortJson(to)}`,
        ),
      ),
      ...details("last operations", [...record.operations].reverse()),
    );
  }

  private amount(cost: number): string {
    return this.currency + (cost < 1 ? cost.toPrecision(2) : cost.toFixed(2));
  }
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
