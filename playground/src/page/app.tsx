import { type ReactNode, useEffect, useState } from "react";
import { AgainView, CardView } from "./card/card-view.js";
import { CodeView } from "./code/code-view.js";
import { DashboardView, LinesView } from "./dashboard/dashboard-view.js";
import { Header } from "./header.js";
import { InputPanel } from "./input/input-panel.js";
import { addressOf, readAddress, type StageView } from "./input/page-address.js";
import { runInputOf, useInput, withSample } from "./input/use-input.js";
import { stories, type Story } from "./stories/stories.js";
import { StoryBar } from "./stories/story-bar.js";
import { Charts } from "./streams/charts.js";
import { ChunkView } from "./streams/chunk-view.js";
import { Figures } from "./streams/figures.js";
import { PatchList } from "./streams/patch-list.js";
import { ShortcutList } from "./transport/shortcut-list.js";
import { usualSpeed } from "./transport/speeds.js";
import { Transport } from "./transport/transport.js";
import { useSession } from "./transport/use-session.js";
import { useShortcuts } from "./transport/use-shortcuts.js";
import { useTheme } from "./use-theme.js";
import { ValueView } from "./value/value-view.js";

export function App(): ReactNode {
  const [first] = useState(() => readAddress(location.hash));
  const input = useInput(first.input);
  const session = useSession(first.interval);
  const theme = useTheme();
  const [view, setView] = useState<StageView>(first.view);
  const [storyId, setStoryId] = useState(first.story);
  const [help, setHelp] = useState(false);
  const [singleKeys, setSingleKeys] = useState(true);
  const { run } = session;
  const story = stories.find(({ id, sample }) => id === storyId && sample === input.state.sample);

  const start = (): void => session.start(runInputOf(input.state));
  const takeSample = (name: string): void => {
    setStoryId(undefined);
    input.takeSample(name);
  };
  const play = (next: Story): void => {
    const state = withSample({ ...input.state, kind: "document", strict: false }, next.sample);
    input.change(state);
    setStoryId(next.id);
    setView("run");
    session.start(runInputOf(state), Math.max(session.pacing.interval, usualSpeed));
  };
  useShortcuts(session, { start, toggleTheme: theme.toggle, help: () => setHelp(true) }, singleKeys);
  useEffect(() => {
    // A model costs money, and moving content may be unwanted.
    if (input.state.kind !== "model" && !matchMedia("(prefers-reduced-motion: reduce)").matches) start();
    const onHash = (): void => location.reload();
    addEventListener("hashchange", onHash);
    return () => removeEventListener("hashchange", onHash);
  }, []);
  const address = addressOf({
    input: input.state,
    interval: session.pacing.interval,
    view,
    story: story?.id,
  });
  useEffect(() => {
    if (address !== location.hash)
      history.replaceState(null, "", address === "" ? location.pathname : address);
  }, [address]);

  return (
    <>
      <a className="skip" href="#value" onClick={skip}>
        Skip to the value
      </a>
      <Header theme={theme} onHelp={() => setHelp(true)} />
      <main className="layout">
        <InputPanel input={{ ...input, takeSample }} onStart={start} refusal={session.refusal} />
        <div className={`stage stage-${view} stage-of-${run.format}`}>
          <div className="stage-top">
            <StoryBar run={run} story={story} onPlay={play} onCut={session.cut} />
            <StageTabs view={view} onView={setView} />
          </div>
          <Transport session={session} onStart={start} />
          {view === "code" ? (
            <CodeView input={input.state} run={run} />
          ) : (
            <div className="views" key={run.id ?? "none"}>
              <Figures run={run} />
              {run.format === "spec" ? (
                <>
                  <DashboardView run={run} />
                  <LinesView run={run} />
                </>
              ) : (
                <>
                  <CardView run={run} />
                  <AgainView run={run} />
                  <ValueView run={run} />
                </>
              )}
              <ChunkView run={run} />
              <PatchList run={run} />
              {run.format === "json" && <Charts run={run} />}
            </div>
          )}
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

/** Moves the focus without a change of the address, which holds the state. */
function skip(event: { preventDefault(): void }): void {
  event.preventDefault();
  (document.getElementById("value") ?? document.getElementById("page"))?.focus();
}

const views: readonly (readonly [StageView, string])[] = [
  ["run", "Live"],
  ["code", "Code"],
];

interface StageTabsProps {
  readonly view: StageView;
  readonly onView: (view: StageView) => void;
}

function StageTabs({ view, onView }: StageTabsProps): ReactNode {
  return (
    <div className="tabs stage-tabs" role="group" aria-label="View">
      {views.map(([name, label]) => (
        <button key={name} type="button" aria-pressed={view === name} onClick={() => onView(name)}>
          {label}
        </button>
      ))}
    </div>
  );
}
