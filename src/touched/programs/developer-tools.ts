import { byName } from "../../lib/table.ts";
import type { Rule } from "./arguments.ts";

const TESTING_OR_LINTING: Rule = {
  operands: "read",
  values:
    "t testNamePattern g grep reporter project pool environment workers retries select ignore output-format line-length",
  reads: "c config config-path",
  lists: "root dir",
  inPlace: "write fix apply",
  endsAt: ":",
};

const COMPOSING: Rule = { operands: "none", reads: "f file env-file", lists: "project-directory" };

const BUILDING_IMAGES: Rule = {
  operands: "read",
  leading: 1,
  reads: "f file",
  values:
    "t tag build-arg build-context target platform network cache-from cache-to label secret ssh progress o output builder",
};

/** The rule of a developer tool, by its name and possibly its verb; undefined for an unknown one. */
export function toolRuleOf(program: string, verb = ""): Rule | undefined {
  return TOOLS.get(`${program} ${verb}`) ?? TOOLS.get(program);
}

const TOOLS = byName<Rule>([
  // No paths: shell builtins, processes, the system.
  [":, true, false, exit, return, shift, break, continue, let, trap, set, shopt, alias, unalias", { operands: "none" }],
  ["echo, printf, yes, seq, expr, tr, basename, dirname, pwd, date, sleep", { operands: "none" }],
  ["wait, jobs, kill, pkill, killall, pgrep, ps, ulimit, umask", { operands: "none" }],
  ["uname, whoami, id, hostname, which, whereis, type, hash, nproc, free, df", { operands: "none" }],
  ["ssh, ping, systemctl, brew, apt, apt-get", { operands: "none" }],
  // Containers and the network
  ["docker, podman", { operands: "none" }],
  ["docker compose, podman compose, docker-compose", COMPOSING],
  ["docker build, podman build", BUILDING_IMAGES],
  ["docker buildx, podman buildx", { ...BUILDING_IMAGES, leading: 2 }],
  ["kubectl", { operands: "none", reads: "f filename k kustomize" }],
  ["helm", { operands: "likely", reads: "f values", values: "n namespace set set-string version repo kube-context" }],
  ["curl", { operands: "none", writes: "o output", reads: "T upload-file K config" }],
  ["wget", { operands: "none", writes: "O output-document P directory-prefix" }],
  ["gh", { operands: "none", reads: "F body-file notes-file" }],
  // It checks permissions itself for what it loads.
  ["codelia skills", { operands: "none", lists: "cwd root" }],
  // Builds
  ["make, gmake", { operands: "none", lists: "C directory", reads: "f file makefile", values: "j" }],
  ["just", { operands: "none", lists: "d working-directory", reads: "f justfile" }],
  ["ninja", { operands: "none", lists: "C", reads: "f" }],
  [
    "cmake",
    { operands: "likely", lists: "S build install", writes: "B", values: "G D j parallel target config preset" },
  ],
  [
    "cargo",
    {
      operands: "likely",
      reads: "manifest-path",
      writes: "target-dir",
      lists: "C",
      values: "p package bin test example bench features F target j jobs profile",
    },
  ],
  [
    "go",
    {
      operands: "likely",
      hasLongDash: true,
      values: "run bench count timeout tags p parallel ldflags gcflags mod",
      writes: "o coverprofile",
      lists: "C",
      endsAt: "/...",
    },
  ],
  [
    "tsc, vue-tsc",
    {
      operands: "likely",
      hasLongDash: true,
      reads: "p project",
      writes: "outDir outFile declarationDir tsBuildInfoFile",
      values: "target t module m lib jsx moduleResolution",
    },
  ],
  ["pip, pip3", { operands: "likely", reads: "r requirement c constraint", lists: "e editable t target" }],
  // Tests
  [
    "pytest, py.test",
    {
      operands: "read",
      values: "k m p n o W r durations maxfail tb cov-report ignore-glob",
      reads: "c config-file confcutdir",
      lists: "rootdir cov ignore",
      endsAt: "::",
    },
  ],
  [
    "jest, mocha",
    {
      operands: "read",
      values: "t testNamePattern g grep reporter reporters maxWorkers w testTimeout timeout selectProjects",
      reads: "c config r require",
      lists: "rootDir roots",
    },
  ],
  ["vitest", { ...TESTING_OR_LINTING, verbs: "run watch dev related bench list" }],
  // They always begin with a verb.
  ["playwright, biome, ruff, mix", { ...TESTING_OR_LINTING, leading: 1 }],
  // Linters and formatters
  [
    "eslint, oxlint, stylelint, rubocop, golangci-lint",
    {
      operands: "read",
      values: "ext f format rule parser plugin max-warnings only A D W",
      reads: "c config ignore-path",
      writes: "o output-file",
      inPlace: "fix a A autocorrect",
    },
  ],
  [
    "mypy, pyright, pylint, flake8, shellcheck, markdownlint, py_compile, json.tool",
    {
      operands: "read",
      values: "e s m exclude shell module max-line-length disable",
      reads: "config-file p project c",
    },
  ],
  [
    "prettier, oxfmt, gofmt, goimports, shfmt",
    { operands: "read", values: "parser log-level print-width i", reads: "config ignore-path", inPlace: "write w" },
  ],
  [
    "black, isort, rustfmt, autopep8",
    { operands: "write", values: "l line-length t target-version edition profile", reads: "config" },
  ],
]);
