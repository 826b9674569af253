import type { ReactNode } from "react";
import { Icon } from "./icon.js";
import type { Theme } from "./use-theme.js";

export function Header({ theme, onHelp }: { readonly theme: Theme; readonly onHelp: () => void }): ReactNode {
  return (
    <header className="header">
      <h1 className="brand">
        <Icon name="mark" />
        millrace <span className="brand-what">playground</span>
      </h1>
      <p className="tagline">Structured output, while it streams</p>
      <button type="button" className="quiet" onClick={onHelp} aria-keyshortcuts="?">
        <Icon name="keys" />
        <span className="wide-only">Shortcuts</span>
        <span className="narrow-only sr">Shortcuts</span>
      </button>
      <button
        type="button"
        className="quiet"
        onClick={theme.toggle}
        aria-pressed={theme.dark}
        aria-keyshortcuts="t"
      >
        <Icon name={theme.dark ? "moon" : "sun"} />
        <span className="sr">Dark theme</span>
      </button>
    </header>
  );
}
