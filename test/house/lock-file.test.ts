import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

interface LockFile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}
interface LockedPackage {
  readonly resolved?: string;
  readonly link?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../package-lock.json"), "utf8"),
) as LockFile;

test("the lock file contains no registry addresses, so it works with any registry", () => {
  const addressed = Object.values(packages).filter(({ resolved }) => resolved !== undefined);
  // The workspaces are links to folders.
  expect(addressed.filter(({ link }) => link !== true)).toEqual([]);
});

test("the optional packages of every platform are locked, as npm ci requires", () => {
  const locked = new Set(
    Object.keys(packages).map((path) => path.slice(path.lastIndexOf("node_modules/") + 13)),
  );
  const wanted = Object.values(packages).flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}));
  expect(wanted.filter((name) => !locked.has(name))).toEqual([]);
});
