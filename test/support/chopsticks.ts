import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import envPaths from 'env-paths';

/** A chain of its own, made from a genesis, whose blocks are made when the test says so. It is fetched, not installed (0025). */
const CHOPSTICKS = { name: '@acala-network/chopsticks', version: '1.5.1' };
const CHILD = join(import.meta.dirname, '../fixtures/chopsticks-child.mjs');

/** Genesis of a subtensor, `scripts/specs/raonet.json` of its sources; undefined, loudly, where `SUBTENSOR_CHAINSPEC` does not name it. */
export function findChainSpec(): string | undefined {
  const path = process.env.SUBTENSOR_CHAINSPEC;
  if (path && existsSync(path)) return path;
  process.stderr.write('\n!!! skipped: no chain spec. SUBTENSOR_CHAINSPEC names the raw genesis of a subtensor.\n\n');
  return undefined;
}

/**
 * Where the program is: fetched by npm, into the cache of whoever runs the tests or the folder `QUARRY_TEST_CHAIN`. It is there whole or not
 * at all, also where several fetch it at once.
 */
async function fetched(): Promise<string> {
  const folder = process.env.QUARRY_TEST_CHAIN || envPaths('quarry-test-chain', { suffix: '' }).cache;
  const packages = join(folder, CHOPSTICKS.version);
  const program = join(packages, 'node_modules', CHOPSTICKS.name);
  if (existsSync(program)) return program;
  await mkdir(folder, { recursive: true });
  const fresh = await mkdtemp(join(folder, 'fetching-'));
  await writeFile(join(fresh, 'package.json'), '{ "private": true }');
  const wanted = `${CHOPSTICKS.name}@${CHOPSTICKS.version}`;
  const quietly = ['--ignore-scripts', '--no-audit', '--no-fund'];
  await promisify(execFile)('npm', ['install', ...quietly, '--prefix', fresh, wanted], { cwd: fresh });
  await rename(fresh, packages).catch(async (error) => {
    await rm(fresh, { recursive: true });
    if (!existsSync(program)) throw error; // else another was first
  });
  return program;
}

export interface LocalChain {
  /** `ws://127.0.0.1:…` */
  url: string;
  close(): Promise<void>;
}

/** @param spec of {@link findChainSpec} */
export async function startChain(spec: string): Promise<LocalChain> {
  const child = spawn(process.execPath, [CHILD, await fetched(), spec], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const exit = once(child, 'exit');
  const ended = exit.then(() => Promise.reject(new Error('chopsticks ended')));
  const [url] = await Promise.race([once(child, 'message'), ended]);
  const close = async () => {
    child.kill('SIGKILL');
    await exit;
  };
  return { url, close };
}
