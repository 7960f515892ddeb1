import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import Corestore from 'corestore';
import type Hypercore from 'hypercore';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ignoring } from '../../src-main/base/swallowed.ts';
import { damaged } from '../../src-main/bench/hostile/mutations.ts';
import type { Pick } from '../../src-main/bench/hostile/schema-values.ts';
import { SCORES_NETWORK } from '../../src-main/mesh/scores/score-messages.ts';
import { fuzz } from '../support/fuzz/fuzz.ts';
import { anyAddress, Victim } from '../support/fuzz/victim.ts';
import { PATIENCE_MS } from '../support/patience.ts';

vi.mock('hyperswarm', async () => ({ default: (await import('../support/memory-swarm.ts')).MemorySwarm }));
vi.mock('hyperdht', async () => ({ default: (await import('../support/memory-swarm.ts')).MemoryDht }));

/** Messages of a session, of which one is spoilt. */
const MESSAGES = 14;

let victim: Victim;
let dir: string;
let store: Corestore;
let core: Hypercore;
let callers = 0;
const read = { whole: 0, not: 0 };

beforeAll(async () => {
  victim = await Victim.open({
    handshakesPerSecond: 1e9,
    handshakeBurst: 1e9,
    unprovenPerSecond: 1e9,
    unprovenBurst: 1e9,
  });
  dir = await mkdtemp(join(tmpdir(), 'quarry-replication-'));
  store = new Corestore(dir);
  core = store.get({ key: Buffer.from(await victim.publish(), 'hex') });
  await core.ready();
});
afterAll(async () => {
  await store.close();
  await victim.close();
  await rm(dir, { recursive: true, force: true });
});

/** Reads the node's score log as another node would, and spoils one message on its way, if any. */
function session(pick: Pick) {
  const [spoilt, times] = [pick(MESSAGES), pick(3)];
  const spoil = (bytes: Uint8Array) => {
    let last = bytes;
    for (let count = 0; count < times; count++) last = damaged(last, pick);
    return last;
  };
  return { spoilt, spoil, whole: times === 0 };
}

async function readLog({ spoilt, spoil, whole }: ReturnType<typeof session>): Promise<void> {
  const caller = victim.caller(anyAddress(++callers));
  if (!caller) return;
  const { stream } = caller;
  const write = stream.write.bind(stream) as (bytes: Uint8Array) => boolean;
  let written = 0;
  stream.write = ((bytes: Uint8Array) => write(written++ === spoilt ? spoil(bytes) : bytes)) as typeof stream.write;
  caller.hello(SCORES_NETWORK.name);
  store.replicate(stream);
  for (let count = 0; count < 20; count++) await turn();
  const timeout = whole ? PATIENCE_MS : 20;
  const block = await core.get(1, { timeout, valueEncoding: 'binary' }).catch(ignoring('it has not come whole'));
  read[block ? 'whole' : 'not']++;
  if (core.length > 0) await core.clear(0, core.length);
  caller.close();
  await turn();
}

fuzz(
  'a score log is read, or its reader ended, and nothing else',
  { inputs: 40, msEach: 500 },
  session,
  async (input) => {
    await readLog(input);
    expect(victim.faults).toEqual([]);
  },
);

it('has been read by some and not by others', () => expect(Math.min(...Object.values(read))).toBeGreaterThan(0));
