import { join } from 'node:path';
import pino from 'pino';
import { Changes } from '../../src-main/base/changes.ts';
import { sha256 } from '../../src-main/base/sha256.ts';
import { CompetitionEntryStore } from '../../src-main/store/competition-entries.ts';
import { openDatabase } from '../../src-main/store/database.ts';
import { Artefacts } from '../../src-main/subnets/quasar/competition/client/artefacts.ts';
import { Entries } from '../../src-main/subnets/quasar/competition/client/entries.ts';
import { EntryWatch } from '../../src-main/subnets/quasar/competition/client/entry-watch.ts';
import { Servers } from '../../src-main/subnets/quasar/competition/client/servers.ts';
import { testSigner } from './bittensor-signer.ts';
import { report } from './report.ts';

/*
 * Submits an artefact, and looks after it until it is revealed: `node competitor-child.ts FOLDER URL AT [BEFORE|AFTER ROUTE]`. AT is the moment by the server’s clock. Before a route is asked, or after
 * it was and nothing of the answer was read, it says so and stands still: to be killed.
 */

const [folder = '', url = '', at = '', when, route] = process.argv.slice(2);
const stood = async (at: 'before' | 'after', asked: string) => {
  if (when !== at || !asked.startsWith(String(route))) return;
  await report({ stands: at });
  await new Promise(() => setInterval(() => {}, 1_000));
};
const standing: typeof fetch = async (input, init) => {
  const path = new URL(String(input)).pathname.replace('/competition/1', '');
  const asked = `${init?.method} ${path.replace(/[0-9a-f]{32}/, ':')}`;
  await stood('before', asked);
  const response = await fetch(input, init);
  await stood('after', asked);
  return response;
};

const db = await openDatabase(join(folder, 'quarry.db'));
const store = new CompetitionEntryStore(db);
const artefacts = new Artefacts(join(folder, 'submissions'));
const now = () => Number(at);
const servers = new Servers({
  choice: () => ({ server: url, wallet: 'main', hotkey: 'default', reveals: true }),
  openHotkey: async () => ({ ...(await testSigner('//Alice')), close: async () => {} }),
  ...{ fetch: standing, now },
});
const changes = new Changes();
const entries = new Entries({ store, artefacts, servers, check: async () => undefined, reveals: () => true, changes });
const { signal } = new AbortController();
if ((await entries.list()).length === 0) {
  const bytes = Buffer.from(JSON.stringify({ speed: 2 }));
  const hash = sha256(bytes).toString('hex');
  await artefacts.put(hash, bytes);
  const { entry } = await entries.prepare(
    { sha256: hash, name: 'kernel.wasm', tokens: 300_000, track: 'kernel' },
    signal,
  );
  await entries.submit(entry.id, signal);
}
const between = { firstMs: 50, longestMs: 200 };
const log = pino({ level: 'silent' });
new EntryWatch({ store, entries, log, between, soonMs: 50, everyMs: 50 }).open();
for (let last = ''; ; ) {
  const { count } = changes;
  const [entry] = await entries.list();
  if (entry && entry.state !== last) await report({ state: entry.state, id: entry.id });
  last = entry?.state ?? '';
  await changes.after(count, signal, 500);
}
