/**
 * The contents of a release, in CycloneDX 1.6: the packages that package-lock.json installs for use and not for
 * development, and the runtime that is part of every program. Without times and random numbers, so that the same
 * lockfile gives the same text.
 */
export function billOfMaterials(lock) {
  const { name, version, license } = lock.packages[""];
  const used = Object.entries(lock.packages).filter(([path, { dev, link }]) => path !== "" && !dev && !link);
  const runtime = lock.packages["node_modules/bun"];
  const components = [
    ...used.map(([path, locked]) => component(path.slice(path.lastIndexOf("node_modules/") + 13), locked)),
    component("bun", runtime),
  ];
  const bill = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: { type: "application", "bom-ref": `${name}@${version}`, name, version, ...licensed(license) },
    },
    components: components.toSorted((left, right) => (left["bom-ref"] < right["bom-ref"] ? -1 : 1)),
  };
  return `${JSON.stringify(bill, undefined, 2)}\n`;
}

function component(name, { version, license, integrity }) {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const [algorithm, digest] = integrity?.split("-") ?? [];
  const hash = algorithm === "sha512" && { alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") };
  return {
    type: "library",
    "bom-ref": purl,
    name,
    version,
    purl,
    ...licensed(license),
    ...(hash ? { hashes: [hash] } : {}),
  };
}

function licensed(license) {
  return license === undefined ? {} : { licenses: [{ expression: license }] };
}
