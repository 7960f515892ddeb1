import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sr25519KeypairFromSeed } from '@polkadot/wasm-crypto';
import type { Logger } from 'pino';
import { FOCUS_VIDEO_PATH } from '../../../src-preload/contract/focus-limits.ts';
import { type Saying, told } from '../../../src-preload/contract/saying.ts';
import type { TradeDemoStep } from '../../../src-preload/contract/trade.ts';
import { addressOf } from '../../bittensor/address.ts';
import { signaturesReady } from '../../bittensor/sr25519.ts';
import { videoRoad } from '../../focus/media/video-road.ts';
import { verify } from '../../mesh/transport/identity.ts';
import { AxonNonceStore } from '../../store/bittensor/axon-nonces.ts';
import { openDatabase } from '../../store/database.ts';
import { MarketStore } from '../../store/market/focus-market.ts';
import { Market } from '../../subnets/omega/market/server/market.ts';
import { Participant } from './participant.ts';
import { SimulatedChain } from './simulated-chain.ts';

export interface MarketDemoOptions {
  /** Also what goes wrong: a transfer that fails, too little, too late. */
  withFailures: boolean;
  log: Logger;
  /** Between two blocks of the simulated chain. Default 500 ms: on the real one it is 12 s. */
  blockMs?: number;
}

/** Everybody of the demonstration. */
export interface Stage {
  chain: SimulatedChain;
  seller: Participant;
  buyer: Participant;
  /** One more who buys: a market takes few purchases a minute from each. */
  come(name: string): Promise<Participant>;
  folder: string;
}

const BLOCK_MS = 500;
const TAO = 1_000_000_000n;
const POOL = 1_000n * TAO;
const DAY_MS = 86_400_000;
const SECRET_BYTES = 64;
const LIMIT_BYTES = 100_000_000;

/** @param kind `failure`: what is meant to go wrong went wrong */
export function step(kind: TradeDemoStep['kind'], text: Saying): TradeDemoStep {
  return { kind, ...told({ text }) };
}

export async function openStage(
  stack: AsyncDisposableStack,
  { log, blockMs = BLOCK_MS }: MarketDemoOptions,
): Promise<Stage> {
  await signaturesReady();
  const folder = await mkdtemp(join(tmpdir(), 'quarry-market-demo-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const chain = new SimulatedChain(blockMs);
  stack.defer(() => chain.close());
  const db = await openDatabase(':memory:');
  stack.defer(() => db.destroy());
  const key = addressOf(sr25519KeypairFromSeed(randomBytes(32)).slice(SECRET_BYTES));
  const store = new MarketStore(db);
  const market = await Market.open({
    ...{ market: key, host: '127.0.0.1', port: 0, tls: undefined, behindProxy: false, chain, verify, log },
    ...{ folder: join(folder, 'market'), store, marks: new AxonNonceStore(db), pool: () => POOL, trusted: () => [] },
    limits: () => ({ videoBytes: LIMIT_BYTES, diskBytes: LIMIT_BYTES, keepMs: DAY_MS }),
    // There are no pictures in what is made up: their length is believed, and their score is made up, too.
    checkVideo: async () => ({ durationMs: 120_000 }),
    boosted: async () => undefined,
    picturesOf: async () => [],
    score: async () => ({ score: 0.8, reason: 'It shows work.', review: false }),
    giveFile: (path, range) => videoRoad(() => path, requestOf(range)),
  });
  stack.defer(() => market.close());
  const open = async (name: string, balance: bigint) => {
    const shared = { chain, market: { url: market.url, key }, folder, log };
    const participant = await Participant.open({ ...shared, name, balance });
    stack.defer(() => participant.close());
    return participant;
  };
  const come = (name: string) => open(name, TAO);
  return { chain, seller: await open('sam', TAO / 100n), buyer: await come('ann'), come, folder };
}

function requestOf(range: string | undefined): Request {
  return new Request(`http://market${FOCUS_VIDEO_PATH}/x`, { headers: range === undefined ? {} : { range } });
}
