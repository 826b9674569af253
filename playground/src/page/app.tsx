import { type ReactNode, useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { AgainView, CardView } from "./card/card-view.js";
import { CodeView } from "./code/code-view.js";
import { DashboardView, LinesView } from "./dashboard/dashboard-view.js";
import { Header } from "./header.js";
import { InputPanel } from "./input/input-panel.js";
import { addressOf, readAddress, type StageView } from "./input/page-address.js";
import { runInputOf, useInput, withSample } from "./input/use-input.js";
import { stories, type Story } from "./stories/stories.js";
import { StoryBar } from "./stories/story-bar.js";
import { type Detail, Details } from "./streams/details.js";
import { Figures } from "./streams/figures.js";
import { ShortcutList } from "./transport/shortcut-list.js";
import { usualSpeed } from "./transport/speeds.js";
import { Transport } from "./transport/transport.js";
import { useSession } from "./transport/use-session.js";
import { useShortcuts } from "./transport/use-shortcuts.js";
import { useRunState } from "./transport/use-run-state.js";
import { useTheme } from "./use-theme.js";

export function App(): ReactNode {
  const [first] = useState(() => readAddress(location.hash));
  const input = useInput(first.input);
  const session = useSession(first.interval);
  const theme = useTheme();
  const [view, setView] = useState<StageView>(first.view);
  const [detail, setDetail] = useState<Detail>("text");
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
  const focusValue = (): void => {
    flushSync(() => {
      setView("run");
      setDetail("value");
    });
    const tree = document.querySelector<HTMLElement>("[role=tree] [tabindex='0']");
    (tree ?? document.getElementById("value"))?.focus();
  };
  const orders = { start, focusValue, toggleTheme: theme.toggle, help: () => setHelp(true) };
  useShortcuts(session, orders, singleKeys);
  const { phase } = useRunState(run, session.pacing.playing);
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
      <a
        className="skip"
        href="#value"
        onClick={(event) => {
          event.preventDefault(); // the address holds the state
          focusValue();
        }}
      >
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
            <div className={`views views-${phase}`} key={run.id ?? "none"}>
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
                </>
              )}
              <Details run={run} shown={detail} onShow={setDetail} />
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
