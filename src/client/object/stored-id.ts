/**
 * Where the id of a run is stored, so that a reload finds it: in `sessionStorage`, in the query of the page's URL, or
 * nowhere.
 */
export type IdPlace = "session" | "url" | false;

/** Stores an id under a name. Stores with the same name on one page use `name`, `name2`, `name3` and so on. */
export interface StoredId {
  /** Takes a name: the one from before if it is free, otherwise the first that is free. */
  claim(): void;
  release(): void;
  read(): string | undefined;
  /** @param id `undefined` removes it */
  write(id: string | undefined): void;
}

const owners = new Map<string, StoredId>();

const places = {
  session: {
    read: (name: string) => sessionStorage.getItem(name),
    write: (name: string, id: string | undefined) => {
      if (id === undefined) sessionStorage.removeItem(name);
      else sessionStorage.setItem(name, id);
    },
  },
  url: {
    read: (name: string) => new URL(location.href).searchParams.get(name),
    write: (name: string, id: string | undefined) => {
      const url = new URL(location.href);
      if (id === undefined) url.searchParams.delete(name);
      else url.searchParams.set(name, id);
      history.replaceState(history.state, "", url);
    },
  },
};

export function storedId(place: IdPlace, name: string): StoredId {
  let own = name;
  const access = <T>(act: (at: (typeof places)["url"]) => T): T | undefined => {
    if (place === false || (owners.get(own) ?? stored) !== stored) return undefined;
    try {
      return act(places[place]);
    } catch {
      return undefined; // a browser may refuse its storage; a reload then starts anew
    }
  };
  const stored: StoredId = {
    claim() {
      for (let number = 2; (owners.get(own) ?? stored) !== stored; number++) own = `${name}${number}`;
      owners.set(own, stored);
    },
    release() {
      if (owners.get(own) === stored) owners.delete(own);
    },
    read: () => access((at) => at.read(own)) ?? undefined,
    write: (id) => access((at) => at.write(own, id)),
  };
  return stored;
}
