import type { Client, ClientEvent } from "../../../src/clients/client.ts";
import { clientNames, loadClient } from "../../../src/clients/registry.ts";

export interface ClientAnswers {
  readonly client: string;
  readonly tells: string;
  readonly refuses: string | undefined;
  readonly asks: string | undefined;
  readonly continues: string | undefined;
}

/** What any event is called: the answer repeats it. */
const EVENT: ClientEvent = { name: "EVENT", session: "", context: "", cwd: "", what: { kind: "resume" } };

/** The answers of each client's hooks, as its adapter makes them. */
export function hookAnswers(): Promise<ClientAnswers[]> {
  return Promise.all(clientNames().map(async (name) => answersOf(await load(name))));
}

async function load(name: string): Promise<Client> {
  const client = await loadClient(name);
  if (client === undefined) throw new Error(`'${name}' is named and can't be loaded`);
  return client;
}

function answersOf(client: Client): ClientAnswers {
  return {
    client: client.name,
    tells: client.tell(EVENT, "TEXT").trim(),
    refuses: client.refuse?.(EVENT, "TEXT").trim(),
    asks: client.ask?.(EVENT, "TEXT").trim(),
    continues: client.continuation?.answer("TEXT").trim(),
  };
}
