import { useEffect, useState } from "react";

export interface Theme {
  readonly dark: boolean;
  readonly toggle: () => void;
}

/** That of the system, until somebody switches. */
export function useTheme(): Theme {
  const [chosen, setChosen] = useState(() => localStorage.getItem(place));
  const [system, setSystem] = useState(() => matchMedia(darkSystem).matches);
  useEffect(() => {
    const query = matchMedia(darkSystem);
    const change = (): void => setSystem(query.matches);
    query.addEventListener("change", change);
    return () => query.removeEventListener("change", change);
  }, []);
  const dark = chosen === null ? system : chosen === "dark";
  return {
    dark,
    toggle() {
      const next = dark ? "light" : "dark";
      localStorage.setItem(place, next);
      showChosenTheme();
      setChosen(next);
    },
  };
}

/** Before the page is first drawn too, or it would be drawn in other colours for a moment. */
export function showChosenTheme(): void {
  const chosen = localStorage.getItem(place);
  if (chosen !== null) document.documentElement.dataset["theme"] = chosen;
}

const place = "millrace-theme";
const darkSystem = "(prefers-color-scheme: dark)";
