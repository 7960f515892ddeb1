import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type Request, send } from '../support/bittensor-axon.ts';
import { testSigner } from '../support/bittensor-signer.ts';
import { ROUNDS } from '../support/rounds.ts';
import { until } from '../support/until.ts';

/** An axon in a process of its own, on a real database: the one of `quarry bench axon`. */
const PROGRAM = resolve(import.meta.dirname, '../../src-main/bench/axon/axon-server.ts');

it('an axon that is killed takes nothing again that it has taken, and new requests soon', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-axon-kill-'));
  const signer = await testSigner('//Caller');
  const { address: hotkey } = await testSigner('//Axon');
  let child: ChildProcess | undefined;
  onTestFinished(async () => {
    await killed(child);
    await rm(folder, { recursive: true, force: true });
  });
  const opened = async () => {
    child = fork(PROGRAM, [hotkey, join(folder, 'axon.db')], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const [port] = await once(child, 'message');
    return { ip: '127.0.0.1', port, hotkey };
  };
  const ask = (request: Request) => send(request).then(({ status }) => status);
  for (let round = 0; round < 2 * ROUNDS; round++) {
    const place = await opened();
    const now = () => BigInt(Date.now()) * 1_000_000n;
    const fresh = (at: number) => ({ uuid: `${round}-${at}`, nonce: now() });
    await until(async () => expect(await ask({ place, signer, head: fresh(0) })).toBe(200));
    // As far ahead as a wrong clock may be: where the next start is quick, its time alone would let it in.
    const taken = [fresh(1), { ...fresh(2), nonce: now() + 3_900_000_000n }];
    for (const head of taken) expect(await ask({ place, signer, head })).toBe(200);
    await killed(child);
    const again = await opened();
    for (const head of taken) expect(await ask({ place: again, signer, head })).toBe(401);
    await killed(child);
  }
});

async function killed(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
