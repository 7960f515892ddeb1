import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { verify } from '../../src-main/mesh/transport/identity.ts';
import { ResultsDb } from '../../src-main/store/results/results-db.ts';
import { elr } from '../../src-main/subnets/affine/elr/elr.ts';
import { sat } from '../../src-main/subnets/affine/sat/sat.ts';
import type { Environment } from '../../src-main/validation/environment.ts';
import { replay } from '../../src-main/validation/replay.ts';
import { ChatServer } from '../support/chat-server.ts';
import { QuarryProcess, temporaryFolder } from '../support/quarry-process.ts';
import { ROUNDS } from '../support/rounds.ts';
import { erring, solve } from '../support/solver.ts';
import { until } from '../support/until.ts';

/** Results of each miner in each environment: 500 for the proof, fewer every day. */
const EACH = ROUNDS > 1 ? 500 : 40;
const FRIENDS = { QUARRY_MESH_SECRET: 'only among ourselves', QUARRY_CREDITS_RULE: 'witnessed' };

const SKILLS = { best: 0.03, second: 0.2, third: 0.45 };

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let bootstrap: QuarryProcess;
let address = '';
const servers: ChatServer[] = [];
const nodes: QuarryProcess[] = [];

beforeAll(async () => {
  folder = await temporaryFolder();
  bootstrap = new QuarryProcess(['bootstrap', '--port', '0']);
  address = (await bootstrap.printed(/node on (\S+)/))[1] ?? '';
});

afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop('SIGKILL')));
  await Promise.all(servers.map((server) => server.close()));
  await bootstrap?.stop();
  await folder?.remove();
});

async function serve(model: string, answering: (prompt: string) => string): Promise<ChatServer> {
  const server = await new ChatServer(model, answering).open();
  servers.push(server);
  return server;
}

function start(name: string, args: string[], env: Record<string, string>): QuarryProcess {
  const common = ['--headless', '--port', '0', '--bootstrap', address, '--data', join(folder.path, name)];
  const node = new QuarryProcess(['start', ...common, ...args], { ...FRIENDS, ...env });
  nodes.push(node);
  return node;
}

/** A real Quarry miner, whose engine is a solver that errs. */
async function minerOnMesh(share: number): Promise<void> {
  const engine = await serve('solver', erring(share));
  const limits = { QUARRY_LIMITS_REQUESTS_PER_MINUTE_NEWCOMER: '100000' };
  const env = { QUARRY_REMOTE_BASE_URL: engine.url, QUARRY_BACKEND: 'remote', ...limits };
  await start('miner', ['--mine'], env).printed(/Ready/);
}

const VALIDATOR = {
  QUARRY_VALIDATOR_ENVIRONMENTS: 'sat,elr',
  QUARRY_VALIDATOR_MESH: 'true',
  QUARRY_VALIDATOR_PRESET: 'home',
  QUARRY_VALIDATOR_TIMEOUT: '20',
  QUARRY_VALIDATOR_PER_HOUR: '100000',
  QUARRY_DRAIN_SECONDS: '30', // what is being asked when it is told to end comes to its end
};

async function validator(): Promise<QuarryProcess> {
  const node = start('validator', ['--role', 'validator'], VALIDATOR);
  await node.printed(/Ready/);
  return node;
}

async function command(...args: string[]): Promise<string> {
  const process = new QuarryProcess(['validator', ...args, '--data', join(folder.path, 'validator')], FRIENDS);
  expect([await process.ended(), process.stderr]).toEqual([0, expect.anything()]);
  return process.stdout;
}

interface Stat {
  miner: string;
  environment: string;
  count: number;
}

/** Whether each miner has so many results in each environment. It looks into the file: to ask a command each time would take the computer away. */
async function have(each: number, miners: number): Promise<void> {
  const results = new ResultsDb({ dataDir: join(folder.path, 'validator') });
  await results.open();
  await until(async () => {
    const signers = (await results.page({ limit: 1 })).map(({ signer }) => signer);
    const means = await results.means(0, { signers });
    expect(means.filter(({ count }) => count >= each)).toHaveLength(2 * miners);
  });
  await results.close();
}

it('ranks miners of planted skill on the mesh and elsewhere, and a liar last; killed amid it, nothing is lost or doubled', {
  tags: ['long'],
  timeout: 600_000, // eleven processes, one after the other: a busy machine takes its time for them
}, async () => {
  await minerOnMesh(0.1);
  for (const [name, share] of Object.entries(SKILLS)) {
    const { url } = await serve('model', erring(share));
    await command('miner', 'add', name, '--url', url);
  }
  // It says that it is the best there is, and gives each question the answer that another one got.
  let last = '';
  const liar = await serve('best-model-in-the-world', (prompt) => {
    const [stolen, own] = [last, solve(prompt)];
    last = own;
    return stolen;
  });
  await command('miner', 'add', 'liar', '--url', liar.url);

  const first = await validator();
  await have(Math.floor(EACH / 3), 5);
  await first.stop('SIGKILL');
  const second = await validator();
  await have(EACH, 5);
  const state = JSON.parse(await command('status', '--json'));
  expect(state).toMatchObject({ status: 'running', minerCount: 5, fault: null });
  // The constants are those of the node’s own environment, which the command does not have.
  const told = JSON.parse(await command('weights', '--json'));
  expect(told.preset).toBe('home');
  await second.stop();

  const ranked = (environment: string) =>
    told.miners
      .flatMap((miner: { samples: (Stat & { mean: number })[] }) => miner.samples)
      .filter((sample: Stat) => sample.environment === environment)
      .sort((a: { mean: number }, b: { mean: number }) => b.mean - a.mean)
      .map(({ miner }: Stat) => (miner.startsWith('endpoint/') ? miner.slice(9) : 'mesh'));
  expect(ranked('sat').at(-1)).toBe('liar');
  expect(ranked('sat')[3]).toBe('third');
  if (EACH >= 500) expect(ranked('sat')).toEqual(['best', 'mesh', 'second', 'third', 'liar']);
  const [winner] = told.miners;
  expect(['endpoint/best', expect.stringMatching(/^[0-9a-f]{64}$/)]).toContainEqual(winner.miner);
  expect(told.miners.find(({ miner }: { miner: string }) => miner === 'endpoint/liar').weight).toBe(0);

  await checkResults(join(folder.path, 'validator'));
});

/** Each challenge has one result, each result is as it was signed, and nothing is left over. */
async function checkResults(dataDir: string): Promise<void> {
  const results = new ResultsDb({ dataDir });
  await results.open();
  const environments = new Map([sat, elr].map((one) => [one.name, one as Environment]));
  const seeds = new Set<string>();
  let count = 0;
  for await (const result of results.export()) {
    count++;
    seeds.add(result.seed);
    if (count % 20 === 0) expect(await replay(result, environments, verify)).toMatchObject({ verdict: 'same' });
  }
  expect(seeds.size).toBe(count);
  expect(count).toBeGreaterThanOrEqual(10 * EACH);
  expect(await results.leases.count()).toBe(0);
  await results.close();
}
