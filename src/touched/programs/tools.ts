import type { Rule } from "./rules.ts";

const DEVELOPING: Rule = {
  operands: "read",
  values:
    "t testNamePattern g grep reporter project pool environment workers retries select ignore output-format line-length",
  reads: "c config config-path",
  lists: "root dir",
  inPlace: "write fix apply",
  endsAt: ":",
};

const COMPOSING: Rule = { operands: "none", reads: "f file env-file", lists: "project-directory" };

/** The rule of a developer's tool by its name; undefined for one that we don't know. */
export function toolRuleOf(program: string, verb = ""): Rule | undefined {
  switch (program) {
    case "echo":
    case "printf":
    case "true":
    case "false":
    case ":":
    case "exit":
    case "return":
    case "shift":
    case "break":
    case "continue":
    case "sleep":
    case "kill":
    case "pkill":
    case "killall":
    case "pgrep":
    case "wait":
    case "jobs":
    case "date":
    case "uname":
    case "whoami":
    case "id":
    case "hostname":
    case "which":
    case "whereis":
    case "type":
    case "hash":
    case "pwd":
    case "seq":
    case "expr":
    case "let":
    case "trap":
    case "set":
    case "shopt":
    case "alias":
    case "unalias":
    case "ulimit":
    case "umask":
    case "nproc":
    case "free":
    case "df":
    case "ps":
    case "tr":
    case "yes":
    case "basename":
    case "dirname":
    case "ssh":
    case "ping":
    case "systemctl":
    case "brew":
    case "apt":
    case "apt-get":
      return { operands: "none" };
    case "docker":
    case "podman":
      if (verb === "compose") return COMPOSING;
      if (verb !== "build" && verb !== "buildx") return { operands: "none" };
      return {
        operands: "read",
        leading: verb === "build" ? 1 : 2,
        reads: "f file",
        values:
          "t tag build-arg build-context target platform network cache-from cache-to label secret ssh progress o output builder",
      };
    case "docker-compose":
      return COMPOSING;
    case "codelia":
      // It judges by itself what it loads.
      return verb === "skills" ? { operands: "none", lists: "cwd root" } : undefined;
    case "curl":
      return { operands: "none", writes: "o output", reads: "T upload-file K config" };
    case "wget":
      return { operands: "none", writes: "O output-document P directory-prefix" };
    case "gh":
      return { operands: "none", reads: "F body-file notes-file" };
    case "kubectl":
      return { operands: "none", reads: "f filename k kustomize" };
    case "helm":
      return { operands: "likely", reads: "f values", values: "n namespace set set-string version repo kube-context" };
    case "make":
    case "gmake":
      return { operands: "none", lists: "C directory", reads: "f file makefile", values: "j" };
    case "just":
      return { operands: "none", lists: "d working-directory", reads: "f justfile" };
    case "ninja":
      return { operands: "none", lists: "C", reads: "f" };
    case "cmake":
      return {
        operands: "likely",
        lists: "S build install",
        writes: "B",
        values: "G D j parallel target config preset",
      };
    case "cargo":
      return {
        operands: "likely",
        reads: "manifest-path",
        writes: "target-dir",
        lists: "C",
        values: "p package bin test example bench features F target j jobs profile",
      };
    case "go":
      return {
        operands: "likely",
        hasLongDash: true,
        values: "run bench count timeout tags p parallel ldflags gcflags mod",
        writes: "o coverprofile",
        lists: "C",
        endsAt: "/...",
      };
    case "pytest":
    case "py.test":
      return {
        operands: "read",
        values: "k m p n o W r durations maxfail tb cov-report ignore-glob",
        reads: "c config-file confcutdir",
        lists: "rootdir cov ignore",
        endsAt: "::",
      };
    case "jest":
    case "mocha":
      return {
        operands: "read",
        values: "t testNamePattern g grep reporter reporters maxWorkers w testTimeout timeout selectProjects",
        reads: "c config r require",
        lists: "rootDir roots",
      };
    case "vitest":
      return { ...DEVELOPING, verbs: "run watch dev related bench list" };
    case "playwright":
    case "biome":
    case "ruff":
    case "mix":
      // Behind the name of what it shall do.
      return { ...DEVELOPING, leading: 1 };
    case "tsc":
    case "vue-tsc":
      return {
        operands: "likely",
        hasLongDash: true,
        reads: "p project",
        writes: "outDir outFile declarationDir tsBuildInfoFile",
        values: "target t module m lib jsx moduleResolution",
      };
    case "eslint":
    case "oxlint":
    case "stylelint":
    case "rubocop":
    case "golangci-lint":
      return {
        operands: "read",
        values: "ext f format rule parser plugin max-warnings only A D W",
        reads: "c config ignore-path",
        writes: "o output-file",
        inPlace: "fix a A autocorrect",
      };
    case "prettier":
    case "oxfmt":
    case "gofmt":
    case "goimports":
    case "shfmt":
      return {
        operands: "read",
        values: "parser log-level print-width i",
        reads: "config ignore-path",
        inPlace: "write w",
      };
    case "black":
    case "isort":
    case "rustfmt":
    case "autopep8":
      return { operands: "write", values: "l line-length t target-version edition profile", reads: "config" };
    case "mypy":
    case "pyright":
    case "pylint":
    case "flake8":
    case "shellcheck":
    case "markdownlint":
    case "py_compile":
    case "json.tool":
      return {
        operands: "read",
        values: "e s m exclude shell module max-line-length disable",
        reads: "config-file p project c",
      };
    case "pip":
    case "pip3":
      return { operands: "likely", reads: "r requirement c constraint", lists: "e editable t target" };
    default:
      return undefined;
  }
}
