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
  useEffect(() => {
    if (chosen === null) delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = chosen;
  }, [chosen]);
  const dark = chosen === null ? system : chosen === "dark";
  return {
    dark,
    toggle() {
      const next = dark ? "light" : "dark";
      localStorage.setItem(place, next);
      setChosen(next);
    },
  };
}

const place = "millrace-theme";
const darkSystem = "(prefers-color-scheme: dark)";
