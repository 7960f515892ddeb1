import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { serve } from '../../src-main/bittensor/axon/served-synapse.ts';
import { BENCHMARK_EVALUATION } from '../../src-main/subnets/quasar/synapse/benchmark-evaluation.ts';
import type { EvaluationDetails } from '../../src-preload/contract/evaluation.ts';
import { testAxon } from '../support/bittensor-axon.ts';
import { writeKey } from '../support/local-wallets.ts';
import { QuarryProcess, quarry, temporaryFolder } from '../support/quarry-process.ts';

const QUICK = ['--suite', 'scaling', '--lengths', '500', '--samples', '6', '--seed', 'a'];

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let asker: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  asker = await writeKey(join(folder.path, 'wallets'), { wallet: 'main', hotkey: 'default' });
});
afterEach(() => folder.remove());

const args = (...more: string[]) => ['evaluate', ...more, '--data', join(folder.path, 'data')];
const env = () => ({
  BT_WALLET_PATH: join(folder.path, 'wallets'),
  BT_WALLET_NAME: 'main',
  QUARRY_BITTENSOR_ENDPOINT: 'ws://127.0.0.1:9', // nobody is there
});

/** A miner that reads the number of its text, and says of it what it is told to. */
async function miner(before: (times: number) => Promise<void> | undefined = () => undefined) {
  const asked: { hotkey: string; prompt: string; context: string }[] = [];
  const synapse = serve(BENCHMARK_EVALUATION, async ({ context, prompt, ...fields }, { hotkey }) => {
    asked.push({ hotkey, prompt: prompt ?? '', context: context ?? '' });
    await before(asked.length);
    return { ...fields, context, prompt, response: /\d{4,}/.exec(context ?? '')?.[0] ?? '?' };
  });
  const { place } = await testAxon({ synapses: [synapse] });
  return { asked, name: `axon:${place.hotkey}`, address: `${place.ip}:${place.port}`, hotkey: place.hotkey };
}

it('asks a miner in the name of the wallet’s hotkey, is ended by ^C, and goes on with nothing asked twice', async () => {
  const reached = Promise.withResolvers<void>();
  const { asked, name, address, hotkey } = await miner((times) => {
    if (times !== 3) return undefined;
    reached.resolve();
    return new Promise(() => undefined); // it is being answered for ever
  });
  const begun = new QuarryProcess(args(name, '--address', address, ...QUICK), env());
  await reached.promise;
  await begun.stop('SIGINT');
  expect([begun.child.exitCode, begun.stderr]).toEqual([130, expect.stringContaining('quarry evaluate resume')]);
  const went = await quarry(args('resume', '--json'), env());
  expect([went.child.exitCode, went.stderr]).toEqual([0, expect.stringContaining('--seed a')]);
  const { model, plan, cells }: EvaluationDetails = JSON.parse(went.stdout);
  const [ip, port] = address.split(':');
  expect({ model, target: plan.target }).toEqual({
    model: hotkey,
    target: { kind: 'axon', hotkey, at: { ip, port: Number(port) } },
  });
  expect(cells.reduce((sum, { score }) => sum + score, 0)).toBe(6);
  expect(cells.every(({ asked, answered, firstMs }) => asked === answered && firstMs !== null && firstMs > 0)).toBe(
    true,
  );
  expect(new Set(asked.map(({ context }) => context)).size).toBe(6);
  expect(asked).toHaveLength(7); // the one that had no answer yet once more
  expect(asked.every((one) => one.hotkey === asker && one.prompt.startsWith('That was the text.'))).toBe(true);
});

it('says what is missing: a wallet, a subnet, the chain', async () => {
  const { name, asked } = await miner();
  const said = async (more: string[], changed: Record<string, string>) => {
    const went = await quarry(args(name, ...QUICK, ...more), { ...env(), ...changed });
    expect(went.child.exitCode).toBe(1);
    return went.stderr;
  };
  expect(await said([], { BT_WALLET_NAME: '' })).toContain('none is set');
  expect(await said([], {})).toContain('on which subnet');
  expect(await said(['--netuid', '3'], {})).toContain('chain');
  expect(asked).toEqual([]);
});
