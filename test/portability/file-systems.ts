import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Answer } from "./play.ts";
import { runPlain } from "./subjects.ts";

/** A shell's text that mounts it at `$there`; `$image` is the path of a file of 64 MiB. */
const MOUNTS: Readonly<Record<string, string>> = {
  tmpfs: `mount -t tmpfs tmpfs "$there"`,
  overlay: `mount -t tmpfs tmpfs "$image" && mkdir "$image/lower" "$image/upper" "$image/work" && mount -t overlay overlay -o "lowerdir=$image/lower,upperdir=$image/upper,workdir=$image/work" "$there"`,
  ext4: `mkfs.ext4 -q "$image" && mount -o loop "$image" "$there"`,
  "ext4, case folded": `mkfs.ext4 -q -O casefold "$image" && mount -o loop "$image" "$there" && mkdir "$there/play" && chattr +F "$there/play"`,
  xfs: `mkfs.xfs -q "$image" && mount -o loop "$image" "$there"`,
  btrfs: `mkfs.btrfs -q "$image" && mount -o loop "$image" "$there"`,
  vfat: `mkfs.vfat "$image" && mount -o loop,utf8 "$image" "$there"`,
  exfat: `mkfs.exfat "$image" && mount -o loop "$image" "$there"`,
  ntfs3: `mkfs.ntfs -q -F "$image" && mount -t ntfs3 -o loop "$image" "$there"`,
};

export const FILE_SYSTEMS = Object.keys(MOUNTS);

/**
 * Plays the calls on a file system that is mounted for one process alone.
 *
 * @error where this kernel or this user can't mount it, or a tool is missing
 */
export async function playOn(name: string, program: string, base: string): Promise<readonly Answer[]> {
  const place = join(base, name.replaceAll(/\W+/g, "-"));
  const [there, image] = [join(place, "there"), join(place, "image")];
  mkdirSync(there, { recursive: true });
  if (name === "overlay") mkdirSync(image);
  else execFileSync("truncate", ["--size=64M", image]);
  const script = `there=$1 image=$2; { ${MOUNTS[name]}; } >/dev/null && shift 2 && exec "$@"`;
  const inside = [process.execPath, join(import.meta.dirname, "inside.ts"), program, join(there, "play")];
  const alone = ["unshare", ...(process.getuid?.() === 0 ? [] : ["--map-root-user"]), "--mount"];
  const { stdout, stderr, exitCode } = await runPlain([...alone, "sh", "-c", script, "sh", there, image, ...inside], {
    cwd: "/",
    env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", HOME: base },
    stdin: "",
  });
  if (exitCode !== 0) throw new Error(stderr.trim().split("\n")[0] ?? `exit code ${exitCode}`);
  return JSON.parse(stdout) as Answer[];
}
