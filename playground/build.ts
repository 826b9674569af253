/** `npm run build` in this folder: dist/index.js, the server, and dist/page. `-- --page` builds only the page. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown, type InputOptions } from "rolldown";
import { dts } from "rolldown-plugin-dts";
import { build, type Rolldown } from "vite";
import { licencesOf } from "../scripts/licences.js";

const root = import.meta.dirname;
const dist = join(root, "dist");

const { output } = (await build({ configFile: join(root, "vite.config.ts") })) as Rolldown.RolldownOutput;
if (!process.argv.includes("--page")) {
  for (const file of ["index.js", "index.d.ts"]) rmSync(join(dist, file), { force: true });
  await write({});
  await write({ plugins: [dts({ emitDtsOnly: true, oxc: true, tsconfig: false, cwd: root })] });
  const modules = output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
  writeFileSync(join(dist, "third-party-licences.txt"), licencesOf(modules));
}

/** One file of the server's own code: all packages stay imports. */
async function write(options: InputOptions): Promise<void> {
  const bundle = await rolldown({
    cwd: root,
    input: join(root, "src/index.ts"),
    platform: "node",
    external: (id) => !/^[./]/.test(id),
    ...options,
  });
  await bundle.write({ dir: dist, format: "esm", entryFileNames: "[name].js" });
  await bundle.close();
}
