import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TINY_QWEN3, writeRandomModel } from '../../src-main/bench/made-models/random-model.ts';
import { isRunning } from '../support/engine.ts';
import { QuarryProcess, quarry, SLOW_ENGINE, temporaryFolder } from '../support/quarry-process.ts';
import { until } from '../support/until.ts';

/**
 * A mesh of separate processes, each started as a user would: a bootstrap node, three workers and several clients. The
 * model never ends an answer by itself, so that there is a middle to kill a worker in.
 */
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let bootstrap: QuarryProcess;
let address = '';
const workers = new Map<string, { process: QuarryProcess; data: string }>();

const WORKERS = 3;

beforeAll(async () => {
  folder = await temporaryFolder();
  await writeRandomModel(join(folder.path, 'endless.gguf'), TINY_QWEN3, 1);
  bootstrap = new QuarryProcess(['bootstrap', '--port', '0']);
  address = (await bootstrap.printed(/node on (\S+)/))[1] ?? '';
  await Promise.all(
    Array.from({ length: WORKERS }, (_, index) => startWorker(join(folder.path, `worker-${index + 1}`))),
  );
});

afterAll(async () => {
  await Promise.all([...workers.values()].map(({ process }) => process.stop()));
  await bootstrap?.stop();
  await folder?.remove();
});

/** A file that is there once nobody has to come in the middle of an answer any more. */
const fullSpeed = () => join(folder.path, 'full-speed');

async function startWorker(data: string): Promise<string> {
  const model = join(folder.path, 'endless.gguf');
  const process = new QuarryProcess(
    ['start', '--headless', '--mine', '--data', data, '--bootstrap', address, '--port', '0', '--model', model],
    { QUARRY_PARALLEL: '2', QUARRY_CONTEXT_SIZE: '4096', ...SLOW_ENGINE, QUARRY_TEST_FULL_SPEED: fullSpeed() },
  );
  const id = (await process.printed(/node +(\w{8})/))[1] ?? '';
  await process.printed(/Ready/);
  workers.set(id, { process, data });
  return id;
}

/** The node's only child is its engine. */
function childOf(parent: number | undefined): number {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const children = rows.map((row) => row.trim().split(/\s+/).map(Number)).filter(([, ppid]) => ppid === parent);
  expect(children).toHaveLength(1);
  return children[0]?.[0] ?? 0;
}

const client = (number: number) => ['--data', join(folder.path, `client-${number}`), '--bootstrap', address];

it('answers several clients at the same time, from several workers', async () => {
  const asks = [1, 2, 3, 4].map((number) =>
    quarry(['ask', 'Hello', '--max-tokens', '64', '--json', ...client(number)]),
  );
  const answers = (await Promise.all(asks)).map(({ stdout }) => JSON.parse(stdout));
  expect(answers.map(({ completionTokens }) => completionTokens)).toEqual([64, 64, 64, 64]);
  for (const { worker, paid } of answers) expect(paid).toEqual([{ worker, credits: 2, from: 'gift' }]);
  expect(answers.every(({ worker }) => workers.has(worker.slice(0, 8)))).toBe(true);
});

it('shows every worker to a node on the same mesh', async () => {
  await until(async () => {
    const { stdout } = await quarry(['peers', '--wait', '10', '--json', ...client(5)]);
    const { peers } = JSON.parse(stdout);
    expect(peers.map(({ id }: { id: string }) => id.slice(0, 8)).sort()).toEqual([...workers.keys()].sort());
    expect(peers.every(({ models }: { models: string[] }) => models[0] === 'endless')).toBe(true);
  });
});

it('goes to another worker when the first is killed in the middle of its answer, and pays for what came', async () => {
  const ask = new QuarryProcess([
    'ask',
    'Tell me everything',
    '--max-tokens',
    '1500',
    '--temperature',
    '0',
    ...client(6),
  ]);
  await ask.printed(/\w{20,}|(\S+ ){5}/); // the answer has begun
  const first = /asking (\w{8})/.exec(ask.stderr)?.[1] ?? '';
  const killed = workers.get(first);
  const engine = childOf(killed?.process.child.pid);
  await killed?.process.stop('SIGKILL');
  workers.delete(first);
  await until(() => expect(isRunning(engine)).toBe(false));
  await writeFile(fullSpeed(), '');
  expect(await ask.ended()).toBe(0);
  expect(ask.stderr).toMatch(new RegExp(`${first} did not finish .*starting again`));
  expect(ask.stderr).toMatch(/1,500 tokens in/);

  const { stdout } = await quarry(['credits', '--json', ...client(6)]);
  const { available, reserved, spent } = JSON.parse(stdout);
  // 7 for the answer, and what had been pledged to the first worker as its part came.
  expect(spent).toBeGreaterThan(7);
  expect(spent).toBeLessThanOrEqual(2 * 7);
  expect(ask.stderr).toContain(`; ${spent} credits on trust\n`);
  expect({ available, reserved }).toEqual({ available: 0, reserved: 0 }); // nobody had owed it anything: all was given

  // The killed worker comes back as itself, with a sound ledger and nothing left open.
  const back = await startWorker(killed?.data ?? '');
  expect(back).toBe(first);
  const verified = await quarry(['credits', 'verify', '--json', '--data', killed?.data ?? '']);
  expect(JSON.parse(verified.stdout)).toMatchObject({ ok: true, openReservations: 0 });
});

it('is asked by `quarry` for whatever the running node knows', async () => {
  const [worker] = workers.values();
  const data = worker?.data ?? '';
  await until(async () => {
    const peers = await quarry(['peers', '--json', '--data', data]);
    expect(JSON.parse(peers.stdout).peers.length).toBeGreaterThanOrEqual(WORKERS - 2);
  });
  const local = await quarry(['ask', '--local', 'Hi', '--max-tokens', '8', '--json', '--data', data]);
  expect(JSON.parse(local.stdout)).toMatchObject({ target: 'local', completionTokens: 8 });
  const second = await quarry(['start', '--data', data, '--port', '0', '--bootstrap', address]);
  expect(second.child.exitCode).toBe(1);
  expect(second.stderr).toMatch(/in use by process \d+/);
});

it('does not start on a damaged database, and says what to do', async () => {
  const data = join(folder.path, 'damaged');
  await quarry(['credits', '--data', data]);
  await writeFile(join(data, 'quarry.db'), 'this is not a database, and never was one, whatever it is called');
  const node = await quarry(['start', '--data', data, '--port', '0', '--bootstrap', address]);
  expect(node.child.exitCode).toBe(1);
  expect(node.stderr).toMatch(/damaged/);
  expect(node.stderr).toMatch(/Restore it from a backup/);
});

it.skipIf(process.platform === 'win32')('ends cleanly on SIGTERM, with its engine', async () => {
  const [id = '', worker] = [...workers.entries()][0] ?? [];
  const engine = childOf(worker?.process.child.pid);
  expect(isRunning(engine)).toBe(true);
  await worker?.process.stop('SIGTERM');
  workers.delete(id);
  expect(worker?.process.child.exitCode).toBe(0);
  expect(worker?.process.stdout).toMatch(/Stopping/);
  expect(isRunning(engine)).toBe(false);
});
