import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FleetNode } from '../../src-preload/contract/fleet.ts';
import { codeFault } from '../../src-preload/contract/pairing-code.ts';
import { QuarryProcess, quarry, temporaryFolder } from '../support/quarry-process.ts';
import { until } from '../support/until.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
const running: QuarryProcess[] = [];
const data = (name: string) => ['--data', join(folder.path, name)];

beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(async () => {
  for (const one of running.reverse()) await one.stop('SIGKILL');
  await folder.remove();
});

function start(args: string[], name = 'nobody'): QuarryProcess {
  const started = new QuarryProcess(args, { QUARRY_NODE_NAME: name });
  running.push(started);
  return started;
}

async function nodesOf(name: string): Promise<FleetNode[]> {
  return JSON.parse((await quarry(['my-nodes', '--json', ...data(name)])).stdout);
}

it('two nodes are paired, looked at, started, stopped and parted in the terminal', {
  tags: ['long', 'seldom'],
}, async () => {
  const bootstrap = start(['bootstrap', '--port', '0']);
  const [, address = ''] = await bootstrap.printed(/node on (\S+)/);
  const common = ['start', '--headless', '--port', '0', '--bootstrap', address];
  const server = start([...common, '--mine', '--model', 'tiny', ...data('server')], 'Server');
  await server.printed(/Ready/);
  const pc = start([...common, '--role', 'client', ...data('pc')], 'PC');
  await pc.printed(/api +http/);

  const pairing = start(['my-nodes', 'pair', '--allow-mining', ...data('server')]);
  const [, code = ''] = await pairing.printed(/^([0-9A-Z-]{29})$/m);
  expect(codeFault(code)).toBeUndefined();
  const typo = await quarry([
    'my-nodes',
    'join',
    `${code.slice(0, -1)}${code.endsWith('0') ? '1' : '0'}`,
    ...data('pc'),
  ]);
  expect([typo.child.exitCode, typo.stderr]).toEqual([1, expect.stringContaining('typing mistake')]);
  const joined = await quarry(['my-nodes', 'join', code.toLowerCase(), ...data('pc')]);
  expect(joined.stdout).toMatch(/^Paired with Server, fingerprint ([0-9a-f]{4} ?){4}\./);
  await pairing.printed(/Paired with PC/);

  await until(async () => {
    expect(await nodesOf('pc')).toMatchObject([
      { name: 'PC', self: true, summary: { role: 'client', standing: 'client' } },
      { name: 'Server', online: true, controllable: true, summary: { model: 'tiny', earned: { today: 0, week: 0 } } },
    ]);
  }, 300);
  const table = (await quarry(['my-nodes', ...data('pc')])).stdout;
  expect(table).toMatch(/Server +([0-9a-f]{4} ){4} +\S.* +tiny +.*newcomer +now/);
  const { checks } = JSON.parse((await quarry(['doctor', '--json', ...data('pc')])).stdout);
  expect(checks).toContainEqual(expect.objectContaining({ name: 'my nodes', found: 'Connected: 1 of 1 paired node.' }));
  expect(checks).toContainEqual(expect.objectContaining({ name: 'backup', status: 'ok' }));

  const stop = await quarry(['my-nodes', 'stop', 'server', ...data('pc')]);
  expect(stop.stdout).toBe('Server was told to stop mining.\n');
  const standing = async () => (await nodesOf('pc'))[1]?.summary?.standing;
  await until(async () => expect(await standing()).toBe('stopped'), 300);
  await quarry(['my-nodes', 'start', 'server', ...data('pc')]);
  await until(async () => expect(await standing()).toMatch(/ready|refusing|mining/), 300);
  const refused = await quarry(['my-nodes', 'stop', 'PC', ...data('server')]);
  expect([refused.child.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('does not let this node')]);

  await quarry(['my-nodes', 'remove', 'pc', ...data('server')]);
  await until(async () => expect(await nodesOf('pc')).toHaveLength(1), 300);
});
