import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type { VideoTicket } from '../../../../src-preload/contract/focus.ts';
import type { MarketReview, MarketState } from '../../../../src-preload/contract/market.ts';
import { raoOfTao } from '../../../../src-preload/contract/rao.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { dataPath } from '../../../base/data-folder.ts';
import { errorView } from '../../../base/error-view.ts';
import { SharedWork } from '../../../base/shared-work.ts';
import type { Lasts } from '../../../base/tickets.ts';
import { watched } from '../../../base/watched.ts';
import { addressUnknown } from '../../../bittensor/wallet/refusals.ts';
import type { BoostedTasks } from '../../../focus/tasks/boosted-tasks.ts';
import { checkMarket } from '../../../hardware/doctor/market.ts';
import { verify } from '../../../mesh/transport/identity.ts';
import type { Figure } from '../../../server/figures.ts';
import { AxonNonceStore } from '../../../store/bittensor/axon-nonces.ts';
import { MarketStore } from '../../../store/market/focus-market.ts';
import type { MarketSettings } from '../../../subnets/omega/market/market-settings.ts';
import { dayPool } from '../../../subnets/omega/market/rules/budget.ts';
import type { MarketWord, ScoreVideo } from '../../../subnets/omega/market/server/examination.ts';
import type { Market, MarketFigures } from '../../../subnets/omega/market/server/market.ts';
import { readWantedTasks } from '../../../subnets/omega/market/server/wanted-tasks.ts';
import { giveFile } from '../../market/give-file.ts';
import { videoCheck, videoPictures } from '../../market/video-check.ts';
import { videoScorer } from '../../market/video-scorer.ts';
import type { ChainPart } from '../bittensor/chain.ts';
import type { WalletPart } from '../bittensor/wallet.ts';
import type { Core } from '../core.ts';
import { need } from '../need.ts';
import type { Report } from '../report.ts';
import { servedAsSet } from '../served-as-set.ts';

const DAY_MS = 86_400_000;
/** Between two looks at what the chain gives for videos. */
const POOL_MS = 10 * 60_000;
const NOT_SERVED = { message: say('market.notServed'), hint: say('market.notServed.hint') };

/** A market of videos, where this node serves one. */
export interface MarketPart {
  state(): Promise<MarketState>;
  watch(signal?: AbortSignal): AsyncGenerator<MarketState, void, undefined>;
  /** @throws NOT_RUNNING */
  reviews(): Promise<MarketReview[]>;
  /** A way to a video that waits for a person: until somebody has decided, and as long as whoever asks may be here. @throws NOT_RUNNING; BAD_REQUEST where it does not (any more) */
  video(id: string, lasts?: Lasts): Promise<VideoTicket>;
  /** A person has looked at a video. @throws NOT_RUNNING; BAD_REQUEST where it does not wait for that any more, or is worth too little */
  judge(id: string, word: MarketWord): Promise<void>;
}

export interface MarketNeeds {
  wallet: Pick<WalletPart, 'wallets'>;
  chain: Pick<ChainPart, 'genesis' | 'head' | 'owner' | 'taoIn' | 'takePayment'>;
  /** Its list of boosted tasks is the market’s. */
  boosted: Pick<BoostedTasks, 'find' | 'lookIfStale'>;
  /** A way to a file with a video, for as long as it lasts. */
  show: (path: string, lasts: Lasts) => VideoTicket;
  /** Whether the node stays: a single command serves nobody. */
  stays: boolean;
}

interface Running {
  market: Market;
  address: string;
  /** Whether videos are scored: chosen when it was opened, and not read anew. */
  scores: boolean;
  stop: () => Promise<void>;
}

/** Where it cannot be opened, the node is there all the same, and says why. */
export async function openMarket(core: Core, needs: MarketNeeds): Promise<MarketPart> {
  const { settings, changes, until } = core;
  const followed = settings.follow('market');
  /** Videos that are being looked at, until somebody has decided. */
  const looks = new Map<string, AbortController>();
  const served = await servedAsSet<Running>(core, {
    setting: 'market.enabled',
    serves: needs.stays,
    open: () => serve(core, needs, followed.now),
    failure: 'the market cannot be opened',
  });
  const state = async () => stateOf(served.running, served.failed);
  const market = () => need(served.running, NOT_SERVED).market;
  return {
    state,
    watch: (signal) => watched(state, changes, until(signal)),
    reviews: async () => market().reviews(),
    async video(id, lasts = () => true) {
      const file = await market().reviewed(id);
      if (file === undefined) throw refused('market.notWaiting', 'id');
      const look = looks.get(id) ?? new AbortController();
      looks.set(id, look);
      return needs.show(file, () => !look.signal.aborted && lasts());
    },
    async judge(id, word) {
      const why = await market().judge(id, word);
      if (why === 'notWaiting') throw refused('market.notWaiting', 'id');
      if (why === 'tooLittle') throw refused('market.tooLittle', 'score');
      looks.get(id)?.abort();
      looks.delete(id);
    },
  };
}

const refused = (why: 'market.notWaiting' | 'market.tooLittle', field: string) =>
  new QuarryError({ code: 'BAD_REQUEST', message: say(why), field });

/** What scores videos, by the settings as they are now; undefined where nothing does: then what is offered waits until the market is opened anew. */
function scorerOf({ settings, ports, until, log }: Core): ScoreVideo | undefined {
  return videoScorer({ settings: settings.follow('focus.scorer').now, spawner: ports.spawner, closing: until(), log });
}

async function serve(core: Core, needs: MarketNeeds, now: MarketSettings): Promise<Running> {
  const { config, db, ports, until, log } = core;
  const { chain, boosted } = needs;
  const score = scorerOf(core);
  const address = await hotkeyOf(core, needs);
  const pool = await openPool(core, needs, now);
  const { Market } = await import('../../../subnets/omega/market/server/market.ts'); // most nodes have none
  const {
    host,
    port,
    tlsCert: cert,
    tlsKey: key,
    behindProxy,
    videoBytes,
    diskBudget: diskBytes,
    keepDays,
    trusted,
  } = now;
  const limits = { videoBytes, diskBytes, keepMs: keepDays * DAY_MS };
  try {
    const market = await Market.open({
      ...{ market: address, host, port, tls: cert && key ? { cert, key } : undefined, behindProxy, score, verify, log },
      ...{ folder: dataPath(config.dataDir, 'market'), store: new MarketStore(db), marks: new AxonNonceStore(db) },
      chain: { ...chain, ownerOf: (hotkey) => chain.owner(hotkey) },
      pool: () => pool.now,
      limits: () => limits,
      trusted: () => trusted,
      boosted: async (id) => {
        await boosted.lookIfStale(until());
        return await boosted.find(id);
      },
      checkVideo: videoCheck(ports.spawner),
      picturesOf: videoPictures(ports.spawner),
      giveFile,
      tasks: await readWantedTasks(now.tasks),
    });
    const stop = async () => {
      pool.close();
      await market.close();
    };
    return { market, address, scores: score !== undefined, stop };
  } catch (error) {
    pool.close();
    throw error;
  }
}

/** The hotkey’s key stays where it is: its address is enough. @throws CONFIG_INVALID, BAD_REQUEST */
async function hotkeyOf({ settings }: Core, { wallet: { wallets } }: MarketNeeds): Promise<string> {
  const { wallet, hotkey } = settings.follow('validator').now;
  if (wallet === undefined) {
    const [message, hint] = [say('market.noHotkey'), say('market.noHotkey.hint')];
    throw new QuarryError({ code: 'CONFIG_INVALID', message, hint, field: 'validator.wallet' });
  }
  const all = await wallets();
  const found = await all.find({ wallet, hotkey });
  if (found.address !== null) return found.address;
  if (found.sealing === 'plain') return all.withKey({ wallet, hotkey }, null, async ({ address }) => address);
  throw addressUnknown({ wallet, hotkey }, 'validator.hotkey');
}

/**
 * Rao of a day: as it is set, else as the chain has it, looked at now and then; what was known stays where the chain does not answer.
 * @throws CONFIG_INVALID where neither is known
 */
async function openPool({ settings, log }: Core, { chain }: MarketNeeds, { pool, share }: MarketSettings) {
  if (pool !== undefined) return { now: raoOfTao(pool), close: () => {} };
  const { netuid } = settings.follow('validator').now;
  const look = async () => (netuid === undefined ? undefined : await chain.taoIn(netuid));
  const taoIn = await look().catch(
    (err: unknown) => void log.warn({ err }, 'the chain does not say what is paid for videos'),
  );
  if (taoIn === undefined) {
    const [message, hint] = [say('market.noPool'), say('market.noPool.hint')];
    throw new QuarryError({ code: 'CONFIG_INVALID', message, hint, field: 'market.pool' });
  }
  const found = { now: dayPool(taoIn, share), close: () => clearInterval(timer) };
  const timer = setInterval(() => {
    look().then(
      (now) => {
        if (now !== undefined) found.now = dayPool(now, share);
      },
      (err: unknown) => log.warn({ err }, 'the chain does not say what is paid for videos'),
    );
  }, POOL_MS).unref();
  return found;
}

async function stateOf(running: Running | undefined, failed: QuarryError | undefined): Promise<MarketState> {
  const { offers, purchases, bytes, day, answered, refused } = (await running?.market.figures()) ?? NOTHING;
  return {
    running: running !== undefined,
    ...(failed && { error: errorView(failed) }),
    market: running?.address ?? null,
    port: running ? Number(new URL(running.market.url).port || 80) : null,
    scores: running?.scores ?? false,
    ...{ offers, purchases, bytes, answered },
    day: { sold: day.sold, spent: String(day.spent), budget: String(day.budget), left: String(day.left) },
    refused: [...refused].map(([status, count]) => ({ status, count })),
  };
}

const NOTHING: MarketFigures = {
  ...{ offers: {}, purchases: {}, bytes: 0, day: { sold: 0, spent: 0n, budget: 0n, left: 0n } },
  ...{ answered: 0, refused: new Map() },
};

/** @param isSet whether a market is to be served */
export function marketReport(market: Pick<MarketPart, 'state'>, { isSet }: { isSet: () => boolean }): Report {
  const figure = (
    name: string,
    help: string,
    read: (state: MarketState) => number | Record<string, number>,
    more: Partial<Figure> = {},
  ) => ({
    ...{ name, help, ...more },
    read: async () => read(await state()),
  });
  // All figures of a look at the metrics are read at once: one look at the market serves them.
  const looks = new SharedWork<MarketState>();
  const state = () => looks.take('state', () => market.state());
  return {
    ...(isSet() && { checks: { market: async () => checkMarket(await market.state()) } }),
    figures: [
      figure('quarry_market_running', '1 while the market of videos is open.', ({ running }) => Number(running)),
      figure('quarry_market_offers', 'Videos of the market, by state.', ({ offers }) => offers, { label: 'state' }),
      figure('quarry_market_purchases', 'Purchases on the market, by state.', ({ purchases }) => purchases, {
        label: 'state',
      }),
      figure('quarry_market_bytes', 'Bytes of the videos that the market keeps.', ({ bytes }) => bytes),
      figure('quarry_market_spent_rao', 'What buyers have spent in 24 hours.', ({ day }) => Number(day.spent)),
      figure('quarry_market_left_rao', 'What may still be spent now.', ({ day }) => Number(day.left)),
      figure(
        'quarry_market_answered_total',
        'Requests that the market has answered since it was opened.',
        ({ answered }) => answered,
        { kind: 'total' },
      ),
      figure(
        'quarry_market_refused_total',
        'Requests that the market has refused since it was opened, by status.',
        ({ refused }) => Object.fromEntries(refused.map(({ status, count }) => [String(status), count])),
        { kind: 'total', label: 'status' },
      ),
    ],
  };
}
