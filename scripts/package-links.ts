import { webAddress } from "../docs/.vitepress/repository.js";

/** The members of a package.json that lead to the repository. npm resolves the links of a README with them. */
export interface PackageLinks {
  readonly repository: { readonly type: "git"; readonly url: string; readonly directory?: string };
  readonly homepage: string;
  readonly bugs: { readonly url: string };
}

/**
 * @param remote the address of the repository, as `git remote get-url origin` prints it
 * @param directory the folder of the package in it, or ""
 */
export function packageLinks(remote: string, directory: string): PackageLinks {
  const web = webAddress({ repository: remote.trim() });
  if (web === undefined || !/^https:\/\/[^/]+\/[^/]+\/[^/]+$/.test(web)) {
    throw new Error(
      `A release needs the remote "origin" to be the public repository, but it is ${remote.trim()}`,
    );
  }
  return {
    repository: { type: "git", url: `git+${web}.git`, ...(directory !== "" && { directory }) },
    homepage: directory === "" ? `${web}#readme` : `${web}/tree/main/${directory}#readme`,
    bugs: { url: `${web}/issues` },
  };
}
