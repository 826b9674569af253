import type { ReactNode } from "react";
import { count } from "../counts.js";
import type { Point } from "../../protocol.js";

export interface Series {
  readonly label: string;
  readonly of: (point: Point) => number;
  readonly kind: "ours" | "other" | "whole";
}

interface ChartProps {
  readonly title: string;
  readonly points: readonly Point[];
  /** The first series is ours; the others are compared with it. */
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
}

const width = 240;
const height = 84;

/** A line chart over the number of characters read. All series share one scale; their last values are listed below. */
export function Chart({ title, points, series, format }: ChartProps): ReactNode {
  const last = points.at(-1);
  const ours = last === undefined ? 0 : (series[0]?.of(last) ?? 0);
  const max = last === undefined ? 0 : Math.max(...series.map(({ of }) => of(last)));
  const d = ({ of }: Series): string =>
    `M0 ${height}${points
      .map((point) => {
        const x = (point.characters / (last?.characters ?? 1)) * width;
        return `L${x.toFixed(1)} ${(height - (of(point) / (max || 1)) * (height - 4)).toFixed(1)}`;
      })
      .join("")}`;
  return (
    <figure className="chart">
      <figcaption>{title}</figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        <path className="base" d={`M0 ${height - 0.5}H${width}`} />
        {last !== undefined &&
          [...series]
            .reverse()
            .map((one) => <path key={one.label} className={`line ${one.kind}`} d={d(one)} />)}
      </svg>
      <dl>
        {series.map((one) => (
          <div key={one.label} className={one.kind}>
            <dt>{one.label}</dt>
            <dd>{last === undefined ? "–" : format(one.of(last))}</dd>
            <dd className="times">
              {last !== undefined && one.kind !== "ours" && times(one.of(last), ours)}
            </dd>
          </div>
        ))}
      </dl>
    </figure>
  );
}

function times(value: number, ours: number): string {
  if (ours === 0) return "";
  const ratio = value / ours;
  return `${ratio < 10 ? ratio.toFixed(1) : count(Math.round(ratio))}×`;
}
