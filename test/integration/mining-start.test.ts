import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { QuarryProcess, temporaryFolder } from '../support/quarry-process.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let bootstrap: QuarryProcess;
let address = '';
let started: QuarryProcess | undefined;

beforeAll(async () => {
  folder = await temporaryFolder();
  bootstrap = new QuarryProcess(['bootstrap', '--port', '0']);
  address = (await bootstrap.printed(/node on (\S+)/))[1] ?? '';
});

afterEach(() => started?.stop());

afterAll(async () => {
  await bootstrap?.stop();
  await folder?.remove();
});

function start(name: string, args: string[], env: Record<string, string> = {}): QuarryProcess {
  const common = ['--headless', '--port', '0', '--bootstrap', address, '--data', join(folder.path, name)];
  started = new QuarryProcess(['start', ...common, ...args], env);
  return started;
}

async function health(node: QuarryProcess): Promise<number> {
  const [, url] = await node.printed(/screens +(http:\S+)\//);
  return (await fetch(`${url}/healthz`)).status;
}

/** What it complains of; how `quarry` is typed in a checkout is no complaint. */
function withoutTip({ stderr }: QuarryProcess): string {
  return stderr.replace(/^In this checkout, .*\n+/, '');
}

it('stays up without the model that it should load, and says what to do', async () => {
  const node = start('lost', ['--mine', '--model', 'nowhere']);
  await node.printed(/Ready/);
  expect(node.stdout).toMatch(/mining +stopped/);
  expect(await health(node)).toBe(503);
  await node.stop('SIGTERM');
  expect(node.child.exitCode).toBe(0);
  expect(withoutTip(node)).toMatch(/^error .*nowhere/);
  expect(node.stderr).toMatch(/what to do/);
});

it('mines on a server only once somebody has said so or been through the welcome, and says what to type', async () => {
  const fresh = start('fresh', ['--model', 'tiny']);
  await fresh.printed(/Ready/);
  expect(fresh.stdout).toMatch(/mining +stopped\. To mine: .* with --mine/);
  await fresh.stop('SIGTERM');
  const welcomed = start('fresh', ['--model', 'tiny'], { QUARRY_SHOW_WELCOME: 'false' });
  await welcomed.printed(/Ready/);
  expect(welcomed.stdout).toMatch(/model +tiny/);
  await welcomed.stop('SIGTERM');
  const told = start('fresh', ['--model', 'tiny', '--mine']);
  await told.printed(/Ready/);
  expect(told.stdout).toMatch(/model +tiny/);
  expect(told.stdout).not.toMatch(/mining +stopped/);
});

it('does not mine until it is told to, where the settings say so', async () => {
  const node = start('resting', [], { QUARRY_MINE_ON_START: 'false' });
  await node.printed(/Ready/);
  expect(node.stdout).toMatch(/mining +stopped/);
  expect(node.stdout).not.toMatch(/model +tiny/);
  expect(await health(node)).toBe(200);
  await node.stop('SIGTERM');
  expect(withoutTip(node)).toBe('');
});
