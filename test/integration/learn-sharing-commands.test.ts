/** @module-tag long */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApp } from '../../src-main/app/create-app.ts';
import { readModelHeader } from '../../src-main/gguf/model-file.ts';
import { baseShape } from '../../src-main/learning/formats/base-shape.ts';
import { writeAdapterGguf } from '../../src-main/learning/formats/gguf-adapter.ts';
import { loadConfig } from '../../src-main/settings/config.ts';
import { TINY_MODEL } from '../support/engine.ts';
import { madeAdapter } from '../support/made-adapter.ts';
import { TEST_MESH } from '../support/mesh-name.ts';
import { QuarryProcess, quarry, temporaryFolder } from '../support/quarry-process.ts';
import { openTestnet, type Testnet } from '../support/testnet.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let testnet: Testnet;
let bootstrap: string[];
beforeAll(async () => {
  folder = await temporaryFolder();
  testnet = await openTestnet();
  bootstrap = testnet.bootstrap.map(({ host, port }) => `${host}:${port}`);
  const shape = baseShape(await readModelHeader(TINY_MODEL));
  await writeAdapterGguf(join(folder.path, 'lora.gguf'), madeAdapter(shape), shape);
});
afterAll(async () => {
  await testnet.close();
  await folder.remove();
});

const place = (node: string) => [
  '--data',
  join(folder.path, node),
  '--bootstrap',
  bootstrap.join(','),
  '--mesh-name',
  TEST_MESH.name ?? '',
];
const run = (node: string, ...args: string[]) => quarry(['learn', ...args, ...place(node)]);

it('a version is shared when somebody says yes, fetched elsewhere, and shared no more', async () => {
  expect((await run('seeder', 'import', join(folder.path, 'lora.gguf'))).child.exitCode).toBe(0);
  const unasked = await run('seeder', 'share', 'personal@1');
  expect([unasked.child.exitCode, unasked.stderr]).toEqual([1, expect.stringContaining('Nothing was shared')]);
  expect(unasked.stderr).toMatch(
    /private feedback[\s\S]*SHA-256 [0-9a-f]{64}[\s\S]*is for +tiny, SHA-256 [0-9a-f]{64}/,
  );
  expect((await run('seeder', 'versions')).stdout).not.toContain('shared');

  const shared = await run('seeder', 'share', 'personal@1', '--yes');
  expect([shared.child.exitCode, shared.stdout]).toEqual([0, expect.stringContaining('personal@1 is shared.')]);
  expect(shared.stdout).toMatch(/`quarry start` or .* sends it to others[\s\S]*SHA-256: [0-9a-f]{64}/);
  expect((await run('seeder', 'versions')).stdout).toMatch(/imported .* shared/);
  const flags = { dataDir: join(folder.path, 'seeder'), bootstrap, 'mesh.name': TEST_MESH.name, role: 'client' };
  {
    await using _seeder = await createApp(loadConfig({ flags, env: {} }), { sharing: true });
    const offers = await run('reader', 'offers', '--wait', '3');
    expect(offers.stdout).toMatch(/personal@1 +\S+ \S+ +tiny +1 /);
    const strange = await run('reader', 'fetch', 'personal@1');
    expect([strange.child.exitCode, strange.stderr]).toEqual([
      1,
      expect.stringContaining('Nobody whom this node trusts'),
    ]);
    expect(strange.stderr).not.toMatch(/[0-9a-f]{64}/);
    const fetched = await run(
      'reader',
      'fetch',
      'personal@1',
      '--trust',
      '--adapter',
      'of-a-friend',
      '--model',
      'tiny',
    );
    expect([fetched.stderr, fetched.stdout]).toEqual([
      expect.any(String),
      expect.stringContaining('of-a-friend@1 is here'),
    ]);
  }
  expect((await run('reader', 'versions', '--adapter', 'of-a-friend')).stdout).toMatch(/fetched, \S+/);
  expect((await run('seeder', 'unshare', 'personal@1')).stdout).toContain('no longer shared');
  expect((await run('seeder', 'versions')).stdout).not.toContain(' shared');
});

it('a node that runs sends what is shared beside it, and the command says so', async () => {
  expect((await run('runs', 'import', join(folder.path, 'lora.gguf'))).child.exitCode).toBe(0);
  const node = new QuarryProcess(['start', '--role', 'client', '--port', '0', ...place('runs')]);
  await node.printed(/Ready/);
  const shared = await run('runs', 'share', 'personal@1', '--yes');
  expect([shared.stderr, shared.stdout]).toEqual([
    expect.any(String),
    expect.stringContaining('The running node sends it'),
  ]);
  expect(shared.stdout).not.toContain('quarry start');
  await node.stop();
});
