import { useObject } from "millrace/react";
import { createRoot } from "react-dom/client";
import type { recipe } from "./recipe.ts";

function Page() {
  const { object, submit, stop, isBusy, error } = useObject<typeof recipe>({ api: "/api/recipe" });
  return (
    <>
      <form action={(form) => submit(`A recipe for ${form.get("dish")}.`)}>
        <input name="dish" defaultValue="leek soup" required />
        <button disabled={isBusy}>Write it</button>
        <button type="button" onClick={stop} disabled={!isBusy}>
          Stop
        </button>
      </form>
      {error ? <p role="alert">{error.message}</p> : <p role="status">{isBusy && "Writing …"}</p>}
      <h1>{object?.title}</h1>
      {object?.minutes !== undefined && <p>{object.minutes} minutes</p>}
      <ul>
        {object?.ingredients?.map((ingredient, index) => (
          <li key={index}>
            {ingredient.amount} {ingredient.item}
          </li>
        ))}
      </ul>
      <ol>
        {object?.steps?.map((step, index) => (
          <li key={index}>{step}</li>
        ))}
      </ol>
    </>
  );
}

createRoot(document.querySelector("main")!).render(<Page />);
