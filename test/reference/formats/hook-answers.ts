import type { Host, HostEvent } from "../../../src/clients/client.ts";
import { findHost, findOtherHost, hostNames } from "../../../src/clients/find-host.ts";

export interface HostAnswers {
  readonly host: string;
  readonly tells: string;
  readonly refuses: string | undefined;
  readonly asks: string | undefined;
  readonly continues: string | undefined;
}

/** What any event is called: the answer repeats it. */
const EVENT: HostEvent = { name: "EVENT", session: "", context: "", cwd: "", what: { kind: "resume" } };

/** The answers of each host's hooks, as its adapter makes them. */
export function hookAnswers(): Promise<HostAnswers[]> {
  return Promise.all(hostNames().map(async (name) => answersOf(await load(name))));
}

async function load(name: string): Promise<Host> {
  const host = findHost(name) ?? (await findOtherHost(name));
  if (host === undefined) throw new Error(`'${name}' is named and can't be loaded`);
  return host;
}

function answersOf(host: Host): HostAnswers {
  return {
    host: host.name,
    tells: host.tell(EVENT, "TEXT").trim(),
    refuses: host.refuse?.(EVENT, "TEXT").trim(),
    asks: host.ask?.(EVENT, "TEXT").trim(),
    continues: host.continuation?.answer("TEXT").trim(),
  };
}
