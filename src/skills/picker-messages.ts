type Place = "project" | "user";

export interface Toggled {
  readonly name: string;
  readonly place: Place;
  readonly isOff: boolean;
  readonly path: string;
  /** Where else the name is disabled. */
  readonly elsewhere: { readonly place: Place; readonly path: string | undefined } | undefined;
}

const FOR = { project: "for this project", user: "for you" } as const;
const KEY = { project: "Ctrl-T", user: "Ctrl-G" } as const;

/** What became of a skill that was enabled or disabled in one place, and what the other says to it. */
export function toggledMessage({ name, place, isOff, path, elsewhere }: Toggled): string {
  const done = `'${name}' is ${isOff ? "disabled" : "enabled"} ${FOR[place]}`;
  if (elsewhere === undefined) return `${done}: ${path}`;
  const where = elsewhere.path === undefined ? "" : ` in ${elsewhere.path}`;
  const still = isOff ? "it was already" : "but still";
  return `${done}, ${still} disabled ${FOR[elsewhere.place]}${where} (${KEY[elsewhere.place]})`;
}

export function notToggledMessage(name: string, wouldBeOff: boolean, path: string, reason: string): string {
  return `'${name}' can't be ${wouldBeOff ? "disabled" : "enabled"} in '${path}': ${reason}`;
}

export function copiedMessage(command: string): string {
  return `the terminal was asked to copy: ${command}`;
}

/** Said before the first key. */
export function openingMessage(skills: number, broken: number): string {
  const places = broken === 1 ? "1 skill or skill directory" : `${broken} skills or skill directories`;
  if (broken > 0) return `${places} can't be used; 'codelia skills list' says why`;
  return skills === 0 ? "there is no skill here; put one into .agents/skills/NAME/SKILL.md" : "";
}
