import { type ReactNode, useEffect } from "react";
import { useObject } from "millrace/react";
import type { PageRun } from "../transport/run.js";
import { stories, type Story } from "./stories.js";

interface StoryBarProps {
  readonly run: PageRun;
  readonly story: Story | undefined;
  readonly onPlay: (story: Story) => void;
  readonly onCut: () => void;
}

export function StoryBar({ run, story, onPlay, onCut }: StoryBarProps): ReactNode {
  return (
    <section className="stories" aria-label="Stories">
      <div className="story-buttons">
        {stories.map((one) => (
          <button
            key={one.id}
            type="button"
            className="chip"
            aria-pressed={story === one}
            onClick={() => onPlay(one)}
          >
            {one.title}
          </button>
        ))}
      </div>
      {story !== undefined && <p className="story-caption">{story.caption}</p>}
      {story?.cutAfter !== undefined && run.id !== undefined && (
        <Cut key={run.id} run={run} after={story.cutAfter} onCut={onCut} />
      )}
    </section>
  );
}

interface CutProps {
  readonly run: PageRun;
  readonly after: number;
  readonly onCut: () => void;
}

/** Cuts the connection once. */
function Cut({ run, after, onCut }: CutProps): ReactNode {
  const isDue = useObject(run.trace, ({ value }) => (value?.points?.at(-1)?.chunks ?? 0) >= after);
  useEffect(() => {
    if (isDue) onCut();
  }, [isDue]); // not `onCut`, which is a new function in each render
  return null;
}
