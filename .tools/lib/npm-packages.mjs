import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.mjs";

const templates = join(root, ".tools", "npm");
const systems = { linux: "linux", darwin: "darwin", windows: "win32" };

/** What npm must know of one machine's package to install it there, and nowhere else. */
export function targetManifest(target, { version, license, description }) {
  const [system, cpu, libc] = target.name.split("-");
  return {
    name: `codelia-${target.name}`,
    version,
    description: `${description} (the program for ${target.name})`,
    license,
    os: [systems[system]],
    cpu: [cpu],
    ...(system === "linux" ? { libc: [libc ?? "glibc"] } : {}),
    files: ["bin"],
    preferUnplugged: true,
  };
}

/** The package that people install: it brings the one for their machine. */
export function mainManifest(targets, { version, license, description, engines }) {
  return {
    name: "codelia",
    version,
    description,
    license,
    engines,
    bin: { codelia: "bin/codelia" },
    files: ["bin", "lib"],
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

/** Lays out the main package; `bundle` is what runs where there is no program. */
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
  copyFileSync(join(root, "README.md"), join(directory, "README.md"));
}

function writeManifest(directory, manifest) {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
  copyFileSync(join(root, "LICENSE"), join(directory, "LICENSE"));
}
