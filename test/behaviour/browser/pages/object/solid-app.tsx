/** @jsxImportSource solid-js */
import { useObject } from "millrace/solid";
import { createEffect, createSignal, For, type JSX } from "solid-js";
import { names, recipe as schema, shown, summary } from "./page.js";

function Recipe(props: { readonly name: string }): JSX.Element {
  const recipe = useObject({ api: "/runs", schema });
  const [dish, setDish] = createSignal("");
  createEffect(() => shown(props.name, recipe.object, recipe.status, recipe.progress));
  return (
    <section id={props.name}>
      <input value={dish()} onInput={({ target }) => setDish(target.value)} />
      <button class="write" onClick={() => recipe.submit({ dish: dish() })}>
        Write
      </button>
      <button class="stop" onClick={() => recipe.stop()}>
        Stop
      </button>
      <button class="clear" onClick={() => recipe.clear()}>
        Clear
      </button>
      <h1>{recipe.object?.title}</h1>
      <ol>
        <For each={recipe.object?.steps ?? []}>{(step) => <li>{step}</li>}</For>
      </ol>
      <p>{recipe.error?.message}</p>
      <output>{summary(recipe)}</output>
    </section>
  );
}

export function App(): JSX.Element {
  const [shownNames, setNames] = createSignal<readonly string[]>(names);
  return (
    <>
      <For each={shownNames()}>{(name) => <Recipe name={name} />}</For>
      <button id="leave" onClick={() => setNames(["b"])}>
        Leave
      </button>
    </>
  );
}
