import { ClientError, createPatchStore, type PatchState } from "millrace/client";
import { useStructured } from "millrace/react";
import type { ReactNode, SubmitEvent } from "react";
import { createRoot } from "react-dom/client";
import type { Recipe } from "../recipe.js";

const store = createPatchStore<Recipe>();

/** The id of the run is in the address, so a reload finds it again. */
const shown = (): string => `/runs/${location.hash.slice(1)}`;
if (location.hash !== "") void store.connect(shown());

async function begin(of: string): Promise<void> {
  location.hash = crypto.randomUUID();
  const response = await fetch(shown(), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ of }),
  }).catch(() => Response.error()); // the store says what is wrong
  await store.connect(response, { resume: shown() });
}

function Page(): ReactNode {
  return (
    <>
      <Wish />
      <article>
        <Heading />
        <Description />
        <Ingredients />
        <Steps />
      </article>
    </>
  );
}

function Wish(): ReactNode {
  const status = useStructured(store, (state) => state.status);
  const error = useStructured(store, (state) => state.error);
  const isBusy = status === "connecting" || status === "streaming" || status === "reconnecting";
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const of = new FormData(event.currentTarget).get("of");
    if (typeof of === "string") void begin(of);
  };
  return (
    <form onSubmit={submit}>
      <label>
        A soup of <input name="of" defaultValue="leeks and potatoes" maxLength={80} required />
      </label>
      <button disabled={isBusy}>Write it</button>
      <button type="button" disabled={!isBusy} onClick={() => void fetch(shown(), { method: "DELETE" })}>
        Stop
      </button>
      <output data-status={status}>{inWords(status, error)}</output>
    </form>
  );
}

// Each part picks what it shows, and renders only when that has changed.
function Heading(): ReactNode {
  const title = useStructured(store, ({ value }) => value?.title);
  const minutes = useStructured(store, ({ value }) => value?.minutes);
  if (title === undefined) return null;
  return (
    <header>
      <h1>{title}</h1>
      {minutes !== undefined && <p>{minutes} minutes</p>}
    </header>
  );
}

function Description(): ReactNode {
  const description = useStructured(store, ({ value }) => value?.description);
  if (description === undefined) return null;
  return (
    <Growing tag="p" pointer="/description">
      {description}
    </Growing>
  );
}

function Ingredients(): ReactNode {
  const ingredients = useStructured(store, ({ value }) => value?.ingredients) ?? [];
  return (
    <ul>
      {ingredients.map((ingredient, index) => (
        <Growing tag="li" key={index} pointer={`/ingredients/${index}`}>
          <span>{ingredient?.amount}</span> {ingredient?.item}
        </Growing>
      ))}
    </ul>
  );
}

function Steps(): ReactNode {
  const steps = useStructured(store, ({ value }) => value?.steps) ?? [];
  return (
    <ol>
      {steps.map((step, index) => (
        <Growing tag="li" key={index} pointer={`/steps/${index}`}>
          {step}
        </Growing>
      ))}
    </ol>
  );
}

/** An element that is marked while the model writes in it. */
function Growing({ tag: Tag, pointer, children }: GrowingProps): ReactNode {
  const isWhole = useStructured(store, () => store.isComplete(pointer));
  return <Tag className={isWhole ? "" : "open"}>{children}</Tag>;
}

interface GrowingProps {
  readonly tag: "li" | "p";
  readonly pointer: string;
  readonly children: ReactNode;
}

function inWords(status: PatchState<Recipe>["status"], error: unknown): string {
  switch (status) {
    case "idle":
      return "";
    case "connecting":
      return "Asking …";
    case "streaming":
      return "Writing …";
    case "reconnecting":
      return "The connection was lost; trying again …";
    case "done":
      return "Done.";
    case "stopped":
      return "Stopped.";
    case "error":
      if (!(error instanceof ClientError)) return "That did not work.";
      if (error.reason === "unknown_run") return "This recipe is no longer kept.";
      return error.status === 0 ? "The server cannot be reached." : error.message;
  }
}

createRoot(document.querySelector("main") as Element).render(<Page />);
