import type { ReactNode } from "react";

const paths = {
  // The logo, without its square.
  mark: "M6.2 3.9c-1.7 0-1.7 1.4-1.7 2.6S4.5 9 3.1 9c1.4 0 1.4 1.3 1.4 2.5s0 2.6 1.7 2.6M11.8 3.9c1.7 0 1.7 1.4 1.7 2.6S13.5 9 14.9 9c-1.4 0-1.4 1.3-1.4 2.5s0 2.6-1.7 2.6M6.8 9c.8-1.2 1.5-1.2 2.2 0s1.5 1.2 2.2 0",
  play: "M6 4.2v9.6l7.5-4.8z",
  pause: "M6.5 4.5v9M11.5 4.5v9",
  step: "M5 4.5v9l6-4.5zM13.5 4.5v9",
  replay: "M4 9a5 5 0 1 0 1.6-3.7M5 2.5v3h3",
  cut: "M7 11 3 15M11 7l4-4M8.3 6.3l1.4-1.4a2.8 2.8 0 0 1 4 4l-1.4 1.4M9.7 11.7l-1.4 1.4a2.8 2.8 0 0 1-4-4l1.4-1.4",
  stop: "M5 5h8v8H5z",
  sun: "M9 5.7a3.3 3.3 0 1 0 0 6.6 3.3 3.3 0 0 0 0-6.6zM9 1.8v1.4M9 14.8v1.4M1.8 9h1.4M14.8 9h1.4M3.9 3.9l1 1M13.1 13.1l1 1M14.1 3.9l-1 1M4.9 13.1l-1 1",
  moon: "M14.8 10.6A6.2 6.2 0 0 1 7.4 3.2a6.2 6.2 0 1 0 7.4 7.4z",
  keys: "M2.5 5h13v8h-13zM5 7.6h.1M7.7 7.6h.1M10.3 7.6h.1M13 7.6h.1M6 10.6h6",
} as const;

/** A decorative icon in the colour of the text beside it. */
export function Icon({ name }: { readonly name: keyof typeof paths }): ReactNode {
  return (
    <svg className={`icon icon-${name}`} viewBox="0 0 18 18" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
