import { useEffect, useState } from "react";

export interface Theme {
  readonly dark: boolean;
  readonly toggle: () => void;
}

/** The colour theme: the system's until the user chooses one. */
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

/** Applies the chosen theme. Also called before the first render, to avoid a flash of the other theme. */
export function showChosenTheme(): void {
  const chosen = localStorage.getItem(place);
  if (chosen !== null) document.documentElement.dataset["theme"] = chosen;
}

const place = "millrace-theme";
const darkSystem = "(prefers-color-scheme: dark)";
