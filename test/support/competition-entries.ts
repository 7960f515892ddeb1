import { join } from 'node:path';
import { Changes } from '../../src-main/base/changes.ts';
import { sha256 } from '../../src-main/base/sha256.ts';
import { CompetitionEntryStore } from '../../src-main/store/competition-entries.ts';
import type { Db } from '../../src-main/store/database.ts';
import { Artefacts } from '../../src-main/subnets/quasar/competition/client/artefacts.ts';
import { Entries } from '../../src-main/subnets/quasar/competition/client/entries.ts';
import { type CompetitionChoice, Servers } from '../../src-main/subnets/quasar/competition/client/servers.ts';
import { testSigner } from './bittensor-signer.ts';

/** Own submissions of `//Alice`, or of another, in a database and a folder. */
export function openEntries(
  db: Db,
  folder: string,
  url: string,
  choice: Partial<CompetitionChoice> & { uri?: string; now?: () => number } = {},
) {
  const { uri = '//Alice', now = Date.now, ...chosen } = choice;
  const set = { server: url, wallet: 'main', hotkey: 'default', reveals: true, ...chosen };
  const store = new CompetitionEntryStore(db);
  const artefacts = new Artefacts(join(folder, 'submissions'));
  const servers = new Servers({
    choice: () => set,
    openHotkey: async () => ({ ...(await testSigner(uri)), close: async () => {} }),
    now,
  });
  const changes = new Changes();
  const entries = new Entries({
    store,
    artefacts,
    servers,
    check: async () => undefined,
    reveals: () => set.reveals,
    changes,
    now,
  });
  return {
    ...{ store, artefacts, servers, entries, set },
    /** Prepares a submission of this text. */
    async prepared(text: string, tokens = 100_000, signal = new AbortController().signal) {
      const bytes = Buffer.from(text);
      const hash = sha256(bytes).toString('hex');
      await artefacts.put(hash, bytes);
      return (await entries.prepare({ sha256: hash, name: 'kernel.wasm', tokens, track: 'kernel' }, signal)).entry;
    },
  };
}
