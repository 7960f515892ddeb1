import type {
  AccountView,
  ChainDraft,
  ChainStateView,
  MetagraphView,
  SentCall,
  SubnetView,
} from '../../../../src-preload/contract/chain.ts';
import { told } from '../../../../src-preload/contract/saying.ts';
import { watched } from '../../../base/watched.ts';
import type { WantedAction } from '../../../bittensor/calls/actions/prepared-call.ts';
import type { CallBook } from '../../../bittensor/calls/call-book.ts';
import type { CallDesk, CallSending } from '../../../bittensor/calls/call-desk.ts';
import { sentCallView } from '../../../bittensor/calls/sent-call-view.ts';
import type { Chain } from '../../../bittensor/chain/chain.ts';
import type { ChainState } from '../../../bittensor/chain/connection.ts';
import type { Metagraph } from '../../../bittensor/chain/metagraph.ts';
import { networkOf } from '../../../bittensor/chain/networks.ts';
import type { Committed, Hyperparameters, OwnNeuron } from '../../../bittensor/chain/subnet.ts';
import type { ChainViews } from '../../../bittensor/views/chain-views.ts';
import { type ChainFacts, checkChain } from '../../../hardware/doctor/chain.ts';
import { BalanceSampleStore } from '../../../store/bittensor/balance-samples.ts';
import { SentCallStore } from '../../../store/bittensor/sent-calls.ts';
import type { Core } from '../core.ts';
import type { Report } from '../report.ts';
import type { WalletPart } from './wallet.ts';

const DAY_MS = 86_400_000;

/** The chain of Bittensor. It is opened with the first question, and closed with the node. */
export interface ChainPart {
  /** How the connection stands; asks for nothing. */
  state(): ChainStateView;
  /** The state now and with every change. Connects. */
  watch(signal?: AbortSignal): AsyncGenerator<ChainStateView, void, undefined>;
  /** Who is on a subnet; undefined where there is none. */
  neurons(netuid: number): Promise<Metagraph | undefined>;
  /** The same with what each has said in public. */
  committed(netuid: number): Promise<Committed | undefined>;
  /** A hotkey’s place on a subnet; undefined where it has none. */
  neuron(netuid: number, hotkey: string): Promise<OwnNeuron | undefined>;
  /** A subnet’s rules; undefined where there is none. */
  rules(netuid: number): Promise<Hyperparameters | undefined>;
  accounts(addresses: readonly string[]): Promise<AccountView[]>;
  history(address: string, days: number): Promise<{ at: number; total: string }[]>;
  calls(page: { before?: number | undefined; limit: number }): Promise<{ calls: SentCall[]; more: boolean }>;
  subnets(): Promise<SubnetView[]>;
  subnet(netuid: number): Promise<MetagraphView | null>;
  /** What a market asks: see `Chain`. */
  genesis(): Promise<string>;
  head(): Promise<number>;
  owner(hotkey: string): Promise<string | undefined>;
  taoIn(netuid: number): Promise<bigint | undefined>;
  takePayment(...payment: Parameters<Chain['takePayment']>): ReturnType<Chain['takePayment']>;
  draft(wanted: WantedAction): Promise<ChainDraft>;
  /** Transfers that were signed here, and have come about or may yet: see {@link SentCallStore.transfers}. */
  transfers(like: Parameters<SentCallStore['transfers']>[0]): Promise<(SentCall & { isNamed: boolean })[]>;
  /** A call that was sent, now and until it is known what came of it. Connects. */
  follow(id: number, signal?: AbortSignal): AsyncGenerator<SentCall, void, undefined>;
  /** Calls of which it is not known yet what came of them. */
  waiting(): Promise<number>;
  /** How the connection stands once it has had time to come. Connects. */
  examine(): Promise<ChainFacts>;
  send(input: CallSending, signal?: AbortSignal): AsyncGenerator<SentCall, void, undefined>;
}

/** How long the doctor waits for the chain, milliseconds. */
const EXAMINED_MS = 10_000;

/** What is there once somebody has asked. */
interface Opened {
  chain: Chain;
  book: CallBook;
  desk: CallDesk;
  views: ChainViews;
}

/**
 * The chain's own code, which is large, is loaded with the first question, too.
 * @param stays whether the node stays: then calls of an earlier life are looked for at once
 */
export async function openChain(
  core: Core,
  { wallet, stays }: { wallet: Pick<WalletPart, 'wallets'>; stays: boolean },
): Promise<ChainPart> {
  const { log, until, onClose } = core;
  const { network, endpoint } = core.config.bittensor;
  const stores = { calls: new SentCallStore(core.db), samples: new BalanceSampleStore(core.db) };
  const idle = { network, endpoint: networkOf(network, endpoint).endpoints[0] ?? '', status: 'idle' } as const;
  let opening: Promise<Opened> | undefined;
  let chain: Chain | undefined;

  const open = () => {
    opening ??= load(core, stores, wallet).then((all) => {
      chain = all.chain;
      return all;
    });
    return opening;
  };
  const state = () => (chain ? stateView(chain.state) : idle);
  onClose(async () => {
    const all = await opening;
    await Promise.all([all?.book.close(), all?.chain.close()]); // the book first: what it does not learn any more is not unknown
  });
  if (stays && (await stores.calls.open(Date.now())).some((call) => call.network === network)) {
    open().catch((err: unknown) => log.warn({ err }, 'calls that were sent cannot be looked for'));
  }
  return {
    state,
    async *watch(signal) {
      const all = await open();
      yield* watched(state, all.chain.changes, until(signal));
    },
    neurons: async (netuid) => (await open()).chain.metagraph(netuid),
    committed: async (netuid) => (await open()).chain.committed(netuid),
    neuron: async (netuid, hotkey) => (await open()).chain.neuron(netuid, hotkey),
    rules: async (netuid) => (await open()).chain.hyperparameters(netuid),
    accounts: async (addresses) => (await open()).views.accounts(addresses),
    async history(address, days) {
      const found = await stores.samples.since(network, address, Date.now() - days * DAY_MS);
      return found.map(({ at, total }) => ({ at, total: String(total) }));
    },
    async calls({ before, limit }) {
      const rows = await stores.calls.page({ before, limit: limit + 1 });
      return { calls: rows.slice(0, limit).map(sentCallView), more: rows.length > limit };
    },
    subnets: async () => (await open()).views.subnets(),
    subnet: async (netuid) => (await open()).views.subnet(netuid),
    transfers: async (like) =>
      (await stores.calls.transfers(like)).map((row) => ({ ...sentCallView(row), isNamed: row.purpose !== null })),
    async *follow(id, signal) {
      yield* (await open()).book.watch(id, until(signal));
    },
    waiting: async () => (await stores.calls.open(Date.now())).filter(({ state }) => state === 'waiting').length,
    async examine() {
      const all = await open();
      const signal = until(AbortSignal.timeout(EXAMINED_MS));
      while (all.chain.state.status === 'connecting' && !signal.aborted) {
        await all.chain.changes.after(all.chain.changes.count, signal);
      }
      return all.chain.state;
    },
    genesis: async () => (await open()).chain.genesis(),
    head: async () => (await open()).chain.head(),
    owner: async (hotkey) => (await open()).chain.owner(hotkey),
    taoIn: async (netuid) => (await open()).chain.taoIn(netuid),
    takePayment: async (...payment) => (await open()).chain.takePayment(...payment),
    draft: async (wanted) => (await open()).desk.draft(wanted),
    async *send(input, signal) {
      yield* (await open()).desk.send(input, until(signal));
    },
  };
}

/** Whether a node has to do with Bittensor: for others the doctor asks no chain. */
export function usesBittensor({ config, settings }: Pick<Core, 'config' | 'settings'>): boolean {
  const axon = settings.follow('axon').now;
  return axon.enabled || axon.wallet !== undefined || config.bittensor.walletFolder !== undefined;
}

export function chainReport(chain: ChainPart, { isUsed }: { isUsed: boolean }): Report {
  return {
    figures: [
      {
        name: 'quarry_chain_connected',
        help: '1 while the chain of Bittensor answers and is not behind.',
        read: () => Number(chain.state().status === 'connected'),
      },
      {
        name: 'quarry_chain_block',
        help: 'Newest block of the chain; NaN while nobody asks for it.',
        read: () => chain.state().block ?? Number.NaN,
      },
      {
        name: 'quarry_chain_calls_waiting',
        help: 'Calls that were sent to the chain and are in no final block yet.',
        read: () => chain.waiting(),
      },
    ],
    ...(isUsed && { checks: { chain: async () => checkChain(await chain.examine()) } }),
  };
}

async function load(
  { config, log }: Pick<Core, 'config' | 'log'>,
  { calls, samples }: { calls: SentCallStore; samples: BalanceSampleStore },
  wallet: Pick<WalletPart, 'wallets'>,
): Promise<Opened> {
  const [{ Chain }, { CallBook }, { CallDesk }, { ChainViews }, wallets] = await Promise.all([
    import('../../../bittensor/chain/chain.ts'),
    import('../../../bittensor/calls/call-book.ts'),
    import('../../../bittensor/calls/call-desk.ts'),
    import('../../../bittensor/views/chain-views.ts'),
    wallet.wallets(),
  ]);
  const { network, endpoint } = config.bittensor;
  const chain = new Chain({ network: networkOf(network, endpoint), log });
  chain.open();
  const book = new CallBook({ store: calls, chain, log });
  const desk = new CallDesk({ chain, wallets, store: calls, book });
  book.open();
  return { chain, book, desk, views: new ChainViews({ chain, wallets, samples }) };
}

function stateView({ reason, ...state }: ChainState): ChainStateView {
  return { ...state, ...told({ reason }) };
}
