"use client";
import { useObject } from "millrace/react";
import { useEffect } from "react";
import { probe } from "../lib/devtools.ts";
import type { recipe } from "../lib/recipe.ts";

export function RecipePage({ isScripted }: { isScripted: boolean }) {
  const { object, submit, stop, isBusy, error } = useObject<typeof recipe>({
    api: "/api/recipe",
    ...probe.options,
  });
  useEffect(probe.rendered);
  return (
    <main>
      <h1>my-app</h1>
      <p>
        Edit <code>app/recipe-page.tsx</code>, and in <code>lib/recipe.ts</code> what the model writes.
      </p>
      {isScripted && (
        <p className="note">
          This answer is scripted. For a model, write <code>OPENAI_API_KEY=…</code> into <code>.env</code>,
          and start again.
        </p>
      )}
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
    </main>
  );
}
