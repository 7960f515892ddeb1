import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { dataPath } from '../../base/data-folder.ts';
import { isLoopback } from '../../base/loopback.ts';
import { ignoring } from '../../base/swallowed.ts';
import { CallBook } from '../../bittensor/calls/call-book.ts';
import { CallDesk } from '../../bittensor/calls/call-desk.ts';
import { Chain } from '../../bittensor/chain/chain.ts';
import { networkOf } from '../../bittensor/chain/networks.ts';
import { hexOf } from '../../bittensor/hex.ts';
import type { Signer } from '../../bittensor/signer.ts';
import { AuditLog } from '../../bittensor/signer-service/audit-log.ts';
import { SignerService } from '../../bittensor/signer-service/signer-service.ts';
import type { KeyName, Wallets } from '../../bittensor/wallet/wallets.ts';
import { OwnWallet, type WeightDesk } from '../../bittensor/weights/own-wallet.ts';
import { openNodeLog } from '../../diagnostics/log.ts';
import type { TlsPaths } from '../../http/tls-files.ts';
import type { Config } from '../../settings/config.ts';
import { SentCallStore } from '../../store/bittensor/sent-calls.ts';
import { openDatabase } from '../../store/database.ts';
import { isResultOf } from '../../validation/result.ts';
import { DataDirLock } from '../host/data-dir-lock.ts';
import { keepToOwner } from '../host/own-folder.ts';
import { loadOrCreateToken } from '../host/own-token.ts';

type SignerConfig = Pick<Config, 'dataDir' | 'logLevel' | 'tlsCert' | 'tlsKey'> & {
  bittensor: Pick<Config['bittensor'], 'network' | 'endpoint'>;
};

export interface SignerOptions {
  config: SignerConfig;
  /** Closed by whoever opened them. */
  wallets: Wallets;
  key: Required<KeyName>;
  /** Of the hotkey; null where its file has none. */
  password: string | null;
  /** Subnets for which it sets weights. */
  netuids: readonly number[];
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** Whether it may listen where others can reach it: over TLS alone. */
  allowRemote: boolean;
}

/** A signer that runs. */
export interface RunningSigner extends AsyncDisposable {
  url: string;
  /** The address of its hotkey. */
  hotkey: string;
  tokenFile: string;
  auditFile: string;
}

/**
 * A hotkey on a data folder of its own, that signs and sets weights for validators elsewhere. There is nothing else of a node in this process.
 * @throws CONFIG_INVALID, DATA_DIR_IN_USE, PORT_IN_USE; BAD_REQUEST and UNAUTHORIZED for the hotkey
 */
export async function openSigner(options: SignerOptions): Promise<RunningSigner> {
  const { config, netuids, host, port } = options;
  const tls = tlsFor(options);
  const closing = new AsyncDisposableStack();
  try {
    const lock = new DataDirLock(config.dataDir);
    await lock.open();
    closing.defer(() => lock.close());
    const { log, close } = openNodeLog(config);
    closing.defer(close);
    await keepToOwner(config.dataDir, log);
    const key = await options.wallets.openHotkey(options.key, options.password);
    closing.defer(() => key.close());
    const desk = await openDesk(options, key, { log, closing });
    const audit = new AuditLog(dataPath(config.dataDir, 'signerAudit'));
    await audit.open({ hotkey: key.address, netuids });
    closing.defer(() => audit.close());
    const service = new SignerService({
      ...{ host, port, tls, key, audit, log },
      check: () => key.check(),
      token: await loadOrCreateToken(config.dataDir, 'signerToken'),
      sender: new OwnWallet({ desk, key: options.key, address: async () => key.address, password: null }),
      netuids: new Set(netuids),
      maySign: (text) => isResultOf([key.address, hexOf(key.publicKey).slice(2)], text),
    });
    await service.open();
    closing.defer(() => service.close());
    return {
      ...{ url: service.url, hotkey: key.address },
      tokenFile: dataPath(config.dataDir, 'signerToken'),
      auditFile: dataPath(config.dataDir, 'signerAudit'),
      [Symbol.asyncDispose]: () => closing.disposeAsync(),
    };
  } catch (error) {
    await closing.disposeAsync().catch(ignoring('what went wrong first says what to do'));
    throw error;
  }
}

const TLS_OR_TUNNEL = 'Set tlsCert and tlsKey, or listen on 127.0.0.1 and let a tunnel (ssh -L) end there.';

/** @throws CONFIG_INVALID where others could reach it, and were not allowed to or would not come over TLS */
function tlsFor({ config, host, allowRemote }: SignerOptions): TlsPaths | undefined {
  if (isLoopback(host)) return undefined;
  const [message, hint] = allowRemote
    ? ['A signer that others can reach wants TLS: they would read its token.', TLS_OR_TUNNEL]
    : [`On ${host}, others can reach the signer.`, `${TLS_OR_TUNNEL} The first wants --allow-remote, too.`];
  const { tlsCert: cert, tlsKey } = config;
  if (allowRemote && cert && tlsKey) return { cert, key: tlsKey };
  throw new QuarryError({ code: 'CONFIG_INVALID', message, hint, field: 'listen' });
}

/** Calls are made and kept as on a node, and signed with the hotkey that is open. */
async function openDesk(
  { config, wallets }: SignerOptions,
  key: Signer,
  { log, closing }: { log: ReturnType<typeof openNodeLog>['log']; closing: AsyncDisposableStack },
): Promise<WeightDesk> {
  const db = await openDatabase(dataPath(config.dataDir, 'database'));
  closing.defer(() => db.destroy());
  const store = new SentCallStore(db);
  const chain = new Chain({ network: networkOf(config.bittensor.network, config.bittensor.endpoint), log });
  const book = new CallBook({ store, chain, log });
  closing.defer(async () => void (await Promise.all([book.close(), chain.close()])));
  chain.open();
  book.open();
  const open = {
    find: (name: KeyName) => wallets.find(name),
    list: () => wallets.list(),
    withKey: <T>(_: KeyName, __: string | null, use: (signer: Signer) => Promise<T>) => use(key),
  };
  const desk = new CallDesk({ chain, wallets: open, store, book });
  return {
    draft: (wanted) => desk.draft(wanted),
    send: (input, signal) => desk.send(input, signal),
    async waiting() {
      const waiting = (await store.open(Date.now())).filter(({ state }) => state === 'waiting');
      return waiting.map(({ action, netuid, signer: from }) => ({ action, netuid, from }));
    },
  };
}
