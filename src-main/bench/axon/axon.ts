import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Keyring } from '@polkadot/keyring';
import { cryptoWaitReady } from '@polkadot/util-crypto';
import { z } from 'zod';
import { entryModule } from '../../base/installation.ts';
import { defineSynapse } from '../../bittensor/synapse/synapse.ts';
import type { LoadFigures } from '../http-load.ts';
import { type BenchEvent, benchRow, note } from '../row.ts';
import { AxonLoad } from './axon-load.ts';
import { findSdk, OfficialAxon, SDK } from './official-sdk.ts';

export interface AxonBenchOptions {
  /** Runs of each side. Default 5. */
  runs?: number;
  /** Callers. Default 1,000. */
  hotkeys?: number;
  /** Requests of a run of ours; the official axon is sent a quarter of them. Default 4,000. */
  requests?: number;
}

const ECHO = defineSynapse({
  name: 'Echo',
  fields: { prompt: z.string(), said: z.string().default('') },
  hashed: ['prompt'],
});

/** What both sides are asked with: a port, and how to end it. */
interface Side {
  port: number;
  close(): Promise<void>;
}

/** Signed requests that our axon answers, beside the official one on the same machine. Without Python there is no peer. */
export async function* benchAxon(options: AxonBenchOptions = {}): AsyncGenerator<BenchEvent> {
  const { runs = 5, hotkeys = 1_000, requests = 4_000 } = options;
  yield note(`Looking for ${SDK.name} ${SDK.version} of PyPI; the first time it is fetched, which takes some minutes.`);
  const python = await findSdk();
  if (!python) yield note(`There is no Python with ${SDK.name} ${SDK.version}: there are only our own figures.`);
  await cryptoWaitReady();
  const { address: hotkey } = new Keyring({ type: 'sr25519', ss58Format: 42 }).addFromUri('//Axon');
  const ours = await openOurs(hotkey);
  const peer = python ? await openOfficial(python) : undefined;
  const load = await AxonLoad.open(hotkeys, ECHO);
  const figures: { ours: LoadFigures[]; peer: LoadFigures[] } = { ours: [], peer: [] };
  try {
    // A first run of each is not counted: both compile as they go.
    for (let run = 0; run <= runs; run++) {
      const mine = await load.run({ port: ours.port, hotkey }, requests);
      const theirs = peer && (await load.run({ port: peer.port, hotkey }, Math.ceil(requests / 4)));
      if (run === 0) continue;
      figures.ours.push(mine);
      if (theirs) figures.peer.push(theirs);
    }
  } finally {
    load.close();
    await ours.close();
    await peer?.close();
  }
  const row = (name: string, unit: string, goal: string | null, of: (each: LoadFigures) => number): BenchEvent => ({
    type: 'row',
    row: benchRow({
      ...{ bench: 'axon', case: `${name}, ${hotkeys.toLocaleString('en')} hotkeys`, unit, goal },
      ...{ peerName: 'official axon', ours: figures.ours.map(of), peer: figures.peer.map(of) },
    }),
  });
  yield row('signed requests', 'requests/s', '≥ 5', ({ perSecond }) => perSecond);
  yield row('wait of 99 in 100', 'ms (less is better)', null, ({ p99Ms }) => p99Ms);
}

async function openOurs(hotkey: string): Promise<Side> {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-bench-axon-'));
  const module = fileURLToPath(entryModule('bench/axon/axon-server'));
  const child = fork(module, [hotkey, join(folder, 'axon.db')], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const exited = once(child, 'exit');
  const [port] = await Promise.race([once(child, 'message'), exited.then(() => [undefined])]);
  if (typeof port !== 'number') throw new Error('The axon’s process ended.');
  return {
    port,
    async close() {
      if (child.connected) child.disconnect();
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function openOfficial(python: string): Promise<Side> {
  const port = 10_000 + Math.floor(Math.random() * 10_000);
  const axon = new OfficialAxon(python);
  await axon.open(port);
  return { port, close: () => axon.close() };
}
