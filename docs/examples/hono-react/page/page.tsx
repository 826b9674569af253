import { createObjectStore, type PatchStatus } from "millrace/client";
import { useObject } from "millrace/react";
import type { ReactNode, SubmitEvent } from "react";
import { createRoot } from "react-dom/client";
import type { Recipe } from "../recipe.js";

/** The components share one store. It keeps the id of the run in the address, so a reload finds it again. */
const store = createObjectStore<Recipe>({ api: (id) => `/runs/${id}`, remember: "url" });

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
  const status = useObject(store, (state) => state.status);
  const isBusy = useObject(store, (state) => state.isBusy);
  const error = useObject(store, (state) => state.error);
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    store.submit({ of: new FormData(event.currentTarget).get("of") });
  };
  return (
    <form onSubmit={submit}>
      <label>
        A soup of <input name="of" defaultValue="leeks and potatoes" maxLength={80} required />
      </label>
      <button disabled={isBusy}>Write it</button>
      <button type="button" disabled={!isBusy} onClick={store.stop}>
        Stop
      </button>
      <output data-status={status}>{error?.message ?? words[status]}</output>
    </form>
  );
}

// Each part picks what it shows, and renders only when that has changed.
function Heading(): ReactNode {
  const title = useObject(store, ({ object }) => object?.title);
  const minutes = useObject(store, ({ object }) => object?.minutes);
  if (title === undefined) return null;
  return (
    <header>
      <h1>{title}</h1>
      {minutes !== undefined && <p>{minutes} minutes</p>}
    </header>
  );
}

function Description(): ReactNode {
  const description = useObject(store, ({ object }) => object?.description);
  if (description === undefined) return null;
  return (
    <Growing tag="p" pointer="/description">
      {description}
    </Growing>
  );
}

function Ingredients(): ReactNode {
  const ingredients = useObject(store, ({ object }) => object?.ingredients) ?? [];
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
  const steps = useObject(store, ({ object }) => object?.steps) ?? [];
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
  const isWhole = useObject(store, ({ progress }) => progress.isComplete(pointer));
  return <Tag className={isWhole ? "" : "open"}>{children}</Tag>;
}

interface GrowingProps {
  readonly tag: "li" | "p";
  readonly pointer: string;
  readonly children: ReactNode;
}

const words: Record<PatchStatus, string> = {
  idle: "",
  connecting: "Asking …",
  streaming: "Writing …",
  reconnecting: "The connection was lost; trying again …",
  done: "Done.",
  stopped: "Stopped.",
  error: "That did not work.",
};

createRoot(document.querySelector("main") as Element).render(<Page />);
