import type { ReactNode } from "react";
import { asRecord, scalarText } from "./any-value.js";

interface ComponentProps {
  readonly props: Readonly<Record<string, unknown>>;
  readonly children?: ReactNode;
}

/** The components of the dashboard. Each shows what it has, and a placeholder for what it lacks. */
const components: Readonly<Record<string, (props: ComponentProps) => ReactNode>> = {
  Page: ({ props: { title, subtitle }, children }) => (
    <>
      <header>
        <h3>
          <Words of={title} />
        </h3>
        {subtitle !== undefined && <p>{scalarText(subtitle)}</p>}
      </header>
      {children}
    </>
  ),
  Row: ({ children }) => children,
  Text: ({ props: { text } }) => (
    <p>
      <Words of={text} />
    </p>
  ),
  Metric: ({ props: { label, value, change } }) => (
    <>
      <p className="metric-label">
        <Words of={label} />
      </p>
      <p className="metric-value">
        <Words of={value} />
      </p>
      {typeof change === "number" && (
        <p className="metric-change">
          {change > 0 ? "▲" : "▼"} {Math.abs(change)} %
        </p>
      )}
    </>
  ),
  Chart({ props: { title, bars } }) {
    const shown = listOf(bars).map(asRecord);
    const most = Math.max(1, ...shown.map(({ value }) => numberOf(value)));
    return (
      <>
        <Heading of={title} />
        <ol className="bars">
          {shown.map(({ label, value }, index) => (
            <li key={index}>
              <span className="bar-value">{scalarText(value)}</span>
              <span
                className="bar-box"
                style={{ height: `calc((100% - 30px) * ${numberOf(value) / most})` }}
              />
              <span className="bar-label">{scalarText(label)}</span>
            </li>
          ))}
        </ol>
      </>
    );
  },
  Table: ({ props: { title, columns, rows } }) => (
    <>
      <Heading of={title} />
      <table>
        <thead>
          <tr>
            {listOf(columns).map((column, index) => (
              <th key={index}>{scalarText(column)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {listOf(rows).map((row, index) => (
            <tr key={index}>
              {listOf(row).map((cell, at) => (
                <td key={at}>{scalarText(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  ),
  List: ({ props: { title, items } }) => (
    <>
      <Heading of={title} />
      <ul>
        {listOf(items).map((item, index) => (
          <li key={index}>{scalarText(item)}</li>
        ))}
      </ul>
    </>
  ),
};

export function ComponentOf({ type, ...rest }: ComponentProps & { readonly type: string }): ReactNode {
  const Component = components[type];
  return Component !== undefined && <Component {...rest} />;
}

export function isKnown(type: string): boolean {
  return Object.hasOwn(components, type);
}

function Heading({ of }: { readonly of: unknown }): ReactNode {
  return (
    <h4>
      <Words of={of} />
    </h4>
  );
}

function Words({ of }: { readonly of: unknown }): ReactNode {
  return of === undefined ? <span className="blank" /> : scalarText(of);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, maxShown) : [];
}

function numberOf(value: unknown): number {
  return typeof value === "number" ? Math.max(0, value) : 0;
}

const maxShown = 100;
