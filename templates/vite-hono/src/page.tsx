import { useObject } from "millrace/react";
import { Suspense, use, useEffect } from "react";
import { createRoot } from "react-dom/client";
import { probe } from "./devtools.ts";
import type { recipe } from "./recipe.ts";

function Page() {
  const { object, submit, stop, isBusy, error } = useObject<typeof recipe>({
    api: "/api/recipe",
    ...probe.options,
  });
  useEffect(probe.rendered);
  return (
    <>
      <h1>my-app</h1>
      <p>
        Edit <code>src/page.tsx</code>, and in <code>src/recipe.ts</code> what the model writes.
      </p>
      <Suspense>
        <ScriptNote />
      </Suspense>
      <form action={(form) => submit(`A recipe for ${form.get("dish")}.`)}>
        <input name="dish" aria-label="Dish" defaultValue="leek soup" maxLength={80} required />
        <button className="main" disabled={isBusy}>
          Write it
        </button>
        <button type="button" onClick={stop} disabled={!isBusy}>
          Stop
        </button>
      </form>
      {error ? <p role="alert">{error.message}</p> : <p role="status">{isBusy && "Writing …"}</p>}
      <article className="card" aria-busy={isBusy}>
        {object ? (
          <header>
            <h2>{object.title}</h2>
            {object.minutes !== undefined && <p>{object.minutes} minutes</p>}
          </header>
        ) : (
          <p className="empty">The recipe fills in here.</p>
        )}
        {object?.ingredients && (
          <ul>
            {object.ingredients.map((ingredient, index) => (
              <li key={index}>
                <span>{ingredient.amount}</span> {ingredient.item}
              </li>
            ))}
          </ul>
        )}
        {object?.steps && (
          <ol>
            {object.steps.map((step, index) => (
              <li key={index}>{step}</li>
            ))}
          </ol>
        )}
      </article>
    </>
  );
}

const about: Promise<{ isScripted: boolean }> = fetch("/api/model").then((response) => response.json());

function ScriptNote() {
  if (!use(about).isScripted) return null;
  return (
    <p className="note">
      This answer is scripted. For a model, write <code>OPENAI_API_KEY=…</code> into <code>.env</code>, and
      start again.
    </p>
  );
}

createRoot(document.querySelector("main")!).render(<Page />);
