import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, realpathSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { CACHE, debianTree, type Architecture } from "./debian.ts";

// A system with musl, as far as a program of ours needs one. Debian has musl itself; its libstdc++ is made for glibc, so
// a shim gives that what musl lacks. The compiler for it comes from Debian too and runs with the libraries it came with.

const MACHINES = {
  amd64: { triple: "x86_64-linux", package: "x86-64", loader: "ld-musl-x86_64.so.1", glibc: "ld-linux-x86-64.so.2" },
  arm64: {
    triple: "aarch64-linux",
    package: "aarch64",
    loader: "ld-musl-aarch64.so.1",
    glibc: "ld-linux-aarch64.so.1",
  },
} as const;

export interface MuslRoot {
  readonly root: string;
  readonly loader: string;
  readonly libraries: string;
  readonly shim: string;
}

export async function muslRoot(architecture: Architecture): Promise<MuslRoot> {
  const { triple, loader, glibc } = MACHINES[architecture];
  const root = join(CACHE, `musl-${architecture}`);
  const lib = join(root, "lib");
  const made = { root, loader: join(lib, loader), libraries: lib, shim: join(lib, "libshim.so") };
  if (existsSync(root)) return made;
  const from = join(await debianTree(architecture, ["musl", "libstdc++6"]), "usr/lib");
  const draft = `${root}.${process.pid}.tmp`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(join(draft, "lib"), { recursive: true });
  const copy = (path: string, name: string) => copyFileSync(realpathSync(join(from, path)), join(draft, "lib", name));
  copy(`${triple}-musl/libc.so`, loader);
  copy(`${triple}-gnu/libstdc++.so.6`, "libstdc++.so.6");
  copy(`${triple}-gnu/libgcc_s.so.1`, "libgcc_s.so.1");
  await compileShim(architecture, join(draft, "lib/libshim.so"));
  // libstdc++ names the loader of glibc too.
  copyFileSync(join(draft, "lib/libshim.so"), join(draft, "lib", glibc));
  renameSync(draft, root);
  return made;
}

async function compileShim(architecture: Architecture, outfile: string): Promise<void> {
  const { triple, package: name } = MACHINES[architecture];
  const tools = await debianTree("amd64", [`cpp-14-${name}-linux-gnu`, `binutils-${name}-linux-gnu`]);
  const run = (program: string, ...args: readonly string[]) => {
    const libraries = join(tools, "usr/lib/x86_64-linux-gnu");
    execFileSync(join(tools, "lib64/ld-linux-x86-64.so.2"), ["--library-path", libraries, program, ...args]);
  };
  const folder = architecture === "amd64" ? "gcc" : "gcc-cross";
  const flags = ["-quiet", "-O1", "-fPIC", "-fno-stack-protector"];
  const source = join(import.meta.dirname, "musl-shim.c");
  run(join(tools, "usr/libexec", folder, `${triple}-gnu/14/cc1`), source, ...flags, "-o", `${outfile}.s`);
  run(join(tools, `usr/bin/${triple}-gnu-as`), `${outfile}.s`, "-o", `${outfile}.o`);
  run(join(tools, `usr/bin/${triple}-gnu-ld`), "-shared", `${outfile}.o`, "-o", outfile);
}
