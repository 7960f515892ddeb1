import { join } from 'node:path';
import pino from 'pino';
import { CallBook } from '../../src-main/bittensor/calls/call-book.ts';
import { CallDesk } from '../../src-main/bittensor/calls/call-desk.ts';
import { Chain } from '../../src-main/bittensor/chain/chain.ts';
import { networkOf } from '../../src-main/bittensor/chain/networks.ts';
import { Wallets } from '../../src-main/bittensor/wallet/wallets.ts';
import { SentCallStore } from '../../src-main/store/bittensor/sent-calls.ts';
import { openDatabase } from '../../src-main/store/database.ts';

/** A desk with a database in a folder, for a chain somewhere. @param wallets whoever has them closes them. Default: in the same folder */
export async function openDesk(
  folder: string,
  url: string,
  { now, wallets: given }: { now?: (() => number) | undefined; wallets?: Wallets } = {},
) {
  const log = pino({ level: 'silent' });
  const db = await openDatabase(join(folder, 'quarry.db'));
  const store = new SentCallStore(db);
  const wallets = given ?? new Wallets({ folder: join(folder, 'wallets') });
  const chain = new Chain({ network: networkOf('finney', url), log, lookMs: 20, firstWaitMs: 10 });
  chain.open();
  const book = new CallBook({ store, chain, log, ...(now && { now }) });
  const desk = new CallDesk({ chain, wallets, store, book, ...(now && { now }) });
  const close = async () => {
    await Promise.all([book.close(), chain.close()]);
    if (!given) await wallets.close();
    await db.destroy();
  };
  return { db, chain, store, book, desk, wallets, close };
}
