/** What files end with that people write about: whatever else stands behind a dot may be a symbol, a version, a name. */
const ENDINGS = new Set(
  (
    "md mdx mdc markdown rst adoc asciidoc txt text org tex pdf " +
    "json jsonc json5 jsonl ndjson yaml yml toml ini cfg conf config properties env xml xsd xsl xslt plist csv tsv lock " +
    "js mjs cjs jsx ts mts cts tsx vue svelte astro html htm xhtml css scss sass less styl hbs ejs pug liquid njk " +
    "py pyi pyx ipynb rb rake gemspec erb haml php phtml twig pl pm t r rmd jl lua " +
    "go rs c h cc cpp cxx hh hpp hxx m mm swift java kt kts scala groovy gradle clj cljs cljc edn cs csproj sln fs fsx vb " +
    "dart ex exs eex heex erl hrl hs lhs ml mli elm nim zig v sv vhd vhdl asm s f f90 f95 pas d cr sol move " +
    "sh bash zsh fish ps1 psm1 bat cmd awk sed mk mak cmake bazel bzl nix dhall " +
    "sql prisma graphql gql proto thrift avsc wasm wat so dll dylib a o " +
    "tf tfvars hcl tmpl tpl j2 jinja template service dockerfile containerfile " +
    "png jpg jpeg gif svg webp ico avif bmp mp3 mp4 wav webm mov woff woff2 ttf otf " +
    "zip tar gz tgz bz2 xz zst 7z jar war whl deb rpm dmg exe msi bin dat db sqlite log out snap patch diff bak example sample dist " +
    "xcconfig xcodeproj xcworkspace storyboard xib entitlements podspec strings rproj prompt rules feature spec"
  ).split(" "),
);

export function hasFileEnding(path: string): boolean {
  return ENDINGS.has(path.slice(path.lastIndexOf(".") + 1).toLowerCase());
}
