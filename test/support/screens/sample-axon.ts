import type { AxonState } from '../../../src-preload/contract/axon.ts';
import { say, sentence } from '../../../src-preload/contract/saying.ts';
import { NOW } from './sample-data.ts';

const found = say('bittensor.axon.notTried', { place: '203.0.113.17:8091' });
const advice = say('bittensor.axon.forward', { outside: '8091', port: '8091' });

/** An axon that runs, and that nobody outside has tried. */
export const sampleAxon: AxonState = {
  running: true,
  hotkey: { wallet: 'main', hotkey: 'default', address: '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty' },
  netuid: 24,
  port: 8_091,
  external: { ip: '203.0.113.17', port: 8_091, from: 'router' },
  announced: null,
  neurons: { readAt: NOW, stale: false },
  version: 10_002_000,
  answered: 1_284,
  refused: [
    { status: 403, count: 36 },
    { status: 401, count: 12 },
    { status: 429, count: 3 },
  ],
  reach: { status: 'warn', found: sentence(found), advice: sentence(advice), said: { found, advice } },
};
