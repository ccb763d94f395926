import { chmodSync, copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./tool.mjs";

const templates = join(root, ".tools", "npm");
const manual = join(root, "docs", "man");
const manPages = readdirSync(manual).toSorted();
const systems = { linux: "linux", darwin: "darwin", windows: "win32" };

/** What npm shows about a package. All addresses are below `homepage`. */
function shownFacts({ version, license, homepage, keywords, author }) {
  const repository = { type: "git", url: `git+${homepage}.git` };
  return { version, license, author, keywords, homepage, repository, bugs: `${homepage}/issues` };
}

/** The manifest of the package for one kind of machine: npm installs it only there. */
function targetManifest(target, facts) {
  const [system, cpu, libc] = target.name.split("-");
  return {
    name: `codelia-${target.name}`,
    description: `${facts.description} (the program for ${target.name})`,
    ...shownFacts(facts),
    os: [systems[system]],
    cpu: [cpu],
    ...(system === "linux" ? { libc: [libc ?? "glibc"] } : {}),
    files: ["bin"],
    preferUnplugged: true,
  };
}

/** The package that people install: it depends on the one for their machine. */
function mainManifest(targets, facts) {
  const { version, description, engines, dependencies } = facts;
  return {
    name: "codelia",
    description,
    ...shownFacts(facts),
    engines,
    bin: { codelia: "bin/codelia" },
    exports: {
      ".": { types: "./lib/types/public.d.ts", default: "./lib/public.mjs" },
      "./package.json": "./package.json",
    },
    // Only for programs that import the schemas.
    peerDependencies: { zod: `^${dependencies.zod}` },
    peerDependenciesMeta: { zod: { optional: true } },
    man: manPages.map((name) => `man/${name}`),
    files: ["bin", "lib", "man"],
    scripts: { postinstall: "node lib/postinstall.cjs" },
    optionalDependencies: Object.fromEntries(targets.map(({ name }) => [`codelia-${name}`, version])),
  };
}

/** Lays out one machine's package in `directory`. */
export function layOutTarget(directory, target, executable, facts) {
  writeManifest(directory, targetManifest(target, facts));
  const program = join(directory, "bin", `codelia${target.extension}`);
  mkdirSync(join(directory, "bin"), { recursive: true });
  copyFileSync(executable, program);
  chmodSync(program, 0o755);
}

/** Lays out the main package; `bundle` is what runs if there is no program. */
export function layOutMain(directory, targets, bundle, facts) {
  writeManifest(directory, mainManifest(targets, facts));
  mkdirSync(join(directory, "bin"), { recursive: true });
  mkdirSync(join(directory, "lib"), { recursive: true });
  copyFileSync(join(templates, "codelia.cjs"), join(directory, "bin", "codelia"));
  chmodSync(join(directory, "bin", "codelia"), 0o755);
  for (const name of ["native.cjs", "postinstall.cjs"]) {
    copyFileSync(join(templates, name), join(directory, "lib", name));
  }
  copyFileSync(bundle, join(directory, "lib", "codelia.mjs"));
  mkdirSync(join(directory, "man"), { recursive: true });
  for (const name of manPages) copyFileSync(join(manual, name), join(directory, "man", name));
  const readme = readFileSync(join(root, "README.md"), "utf8");
  writeFileSync(join(directory, "README.md"), linkedTo(facts.homepage, readme));
}

/** The README with addresses instead of paths, which would lead nowhere on npm's page. */
export function linkedTo(homepage, readme) {
  const address = (path) => `${homepage}/${/\.(?:png|svg)$/u.test(path) ? "raw" : "blob"}/main/${path}`;
  return readme
    .replaceAll(/(?<=\]\()(?!https?:|#)([^)\s]+)(?=\))/gu, address)
    .replaceAll(/(?<= (?:src|srcset)=")(?!https?:)([^"]+)(?=")/gu, address);
}

function writeManifest(directory, manifest) {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
  copyFileSync(join(root, "LICENSE"), join(directory, "LICENSE"));
}
