import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { readTarball } from "./tarball.ts";

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
}

interface Package {
  readonly manifest: Manifest;
  /** Its tarball. */
  readonly file: string;
  readonly integrity: string;
}

export interface NpmRegistry {
  readonly url: string;
  /** The manifest of each package that there is, by name. */
  readonly manifests: ReadonlyMap<string, Manifest>;
  /** The tarballs that were fetched, in that order. */
  readonly fetched: string[];
  close(): void;
}

/** The short form of a package's document. As on the public registry it says nothing of `libc`. */
const SHORT = "application/vnd.npm.install-v1+json";
const SHORT_KEYS: ReadonlySet<string> = new Set(
  "name version dependencies optionalDependencies bin engines os cpu".split(" "),
);
const INSTALL_SCRIPTS = ["preinstall", "install", "postinstall"];

/** A registry on 127.0.0.1 with the packages that stand in `directory`. */
export async function startNpmRegistry(directory: string): Promise<NpmRegistry> {
  const manifests = new Map<string, Manifest>();
  const packages = new Map<string, Package>();
  const fetched: string[] = [];
  for (const file of readdirSync(directory).filter((name) => name.endsWith(".tgz"))) {
    const packed = readTarball(join(directory, file)).find(({ name }) => name === "package.json");
    const manifest = JSON.parse(packed?.bytes.toString("utf8") ?? "{}") as Manifest;
    const integrity = `sha512-${createHash("sha512")
      .update(readFileSync(join(directory, file)))
      .digest("base64")}`;
    manifests.set(manifest.name, manifest);
    packages.set(manifest.name, { manifest, file, integrity });
  }
  const server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? "").slice(1));
    const asked = packages.get(path);
    if (asked !== undefined) {
      const isShort = request.headers.accept?.startsWith(SHORT) === true;
      response.setHeader("content-type", isShort ? SHORT : "application/json");
      return response.end(JSON.stringify(documentOf(asked, url(), isShort)));
    }
    const file = readdirSync(directory).find((name) => path === `-/${name}`);
    if (file !== undefined) {
      fetched.push(file);
      return response.end(readFileSync(join(directory, file)));
    }
    return response.writeHead(404, { "content-type": "application/json" }).end('{"error":"not found"}');
  });
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { promise: listening, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await listening;
  return { url: url(), manifests, fetched, close: () => server.close().closeAllConnections() };
}

function documentOf({ manifest, file, integrity }: Package, url: string, isShort: boolean): object {
  const { name, version, scripts = {} } = manifest;
  const hasInstallScript = INSTALL_SCRIPTS.some((script) => script in scripts);
  const told = Object.entries(manifest).filter(([key]) => !isShort || SHORT_KEYS.has(key));
  const release = {
    ...Object.fromEntries(told),
    ...(isShort && hasInstallScript && { hasInstallScript }),
    dist: { tarball: `${url}/-/${file}`, integrity },
  };
  return { name, "dist-tags": { latest: version }, versions: { [version]: release } };
}
