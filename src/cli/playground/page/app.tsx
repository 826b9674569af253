import { type ReactNode, useState } from "react";
import { Charts } from "./streams/charts.js";
import { ChunkView } from "./streams/chunk-view.js";
import { Header } from "./header.js";
import { InputPanel } from "./input/input-panel.js";
import { useInput } from "./input/use-input.js";
import { PatchList } from "./streams/patch-list.js";
import { ShortcutList } from "./transport/shortcut-list.js";
import { Transport } from "./transport/transport.js";
import { useSession } from "./transport/use-session.js";
import { useShortcuts } from "./transport/use-shortcuts.js";
import { useTheme } from "./use-theme.js";
import { ValueView } from "./value/value-view.js";

export function App(): ReactNode {
  const input = useInput();
  const session = useSession();
  const theme = useTheme();
  const [help, setHelp] = useState(false);
  const [singleKeys, setSingleKeys] = useState(true);
  const { run } = session;
  const start = (): void => {
    session.start(input.runInput);
    // On a narrow page the controls are below the form.
    document.getElementById("controls")?.scrollIntoView({ block: "start" });
  };
  useShortcuts(session, { start, toggleTheme: theme.toggle, help: () => setHelp(true) }, singleKeys);
  return (
    <>
      <a className="skip" href="#value">
        Skip to the value
      </a>
      <Header theme={theme} onHelp={() => setHelp(true)} />
      <main className="layout">
        <InputPanel input={input} onStart={start} refusal={session.refusal} />
        <div className="stage">
          <Transport session={session} onStart={start} />
          <div className="views" key={run.id ?? "none"}>
            <ValueView run={run} />
            <ChunkView run={run} />
            <PatchList run={run} />
            <Charts run={run} />
          </div>
        </div>
      </main>
      <ShortcutList
        open={help}
        onClose={() => setHelp(false)}
        singleKeys={singleKeys}
        onSingleKeys={setSingleKeys}
      />
    </>
  );
}
