import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signedBytes } from '../../src-main/focus/tasks/boosted-list.ts';
import { identityFromSeed } from '../../src-main/mesh/transport/identity.ts';
import type { FocusTasks } from '../../src-preload/contract/focus-tasks.ts';
import { quarry, temporaryFolder } from '../support/quarry-process.ts';

const signer = identityFromSeed(Buffer.alloc(32, 3));
const TASK = { id: 'budget', title: 'Build a budget', description: 'In a table', multiplier: 2.5, validUntil: 9e14 };

describe('quarry focus tasks', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let server: Server;
  let number = 7;

  beforeAll(async () => {
    folder = await temporaryFolder();
    server = createServer((_request, response) => {
      const list = { number, tasks: [TASK] };
      response.end(JSON.stringify({ ...list, signature: signer.sign(signedBytes(list)) }));
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
    await folder.remove();
  });

  const run = (...args: string[]) =>
    quarry(['focus', ...args, '--data', folder.path], {
      QUARRY_FOCUS_BOOSTED_TASKS: `http://127.0.0.1:${(server.address() as AddressInfo).port}/list.json`,
      QUARRY_FOCUS_BOOSTED_TASKS_KEY: signer.id,
    });

  it('lists the boosted of a signed list, and the suggestions with their reasons', async () => {
    const { tasks, boosted } = JSON.parse((await run('tasks', '--json')).stdout) as FocusTasks;
    expect(tasks[0]).toMatchObject({ kind: 'boosted', title: 'Build a budget', multiplier: 2.5 });
    expect(tasks.filter(({ kind }) => kind === 'suggested').length).toBeGreaterThanOrEqual(40);
    expect(boosted.number).toBe(7);
    const { stdout } = await run('tasks', '--kind', 'boosted');
    expect(stdout).toMatch(/boosted +× 2\.5 +0 +Build a budget/);
    expect(stdout).toMatch(/KIND +MULTIPLIER +RECORDED/);
    expect(stdout).not.toContain('suggested');
    expect((await run('tasks', '--kind', 'suggested')).stdout).toMatch(/KIND +RECORDED/);
  });

  it('keeps what it has when an older list comes, and says so', async () => {
    number = 6;
    const { stdout, stderr } = await run('tasks', '--kind', 'boosted', '--refresh');
    expect(stdout).toContain('Build a budget');
    expect(stderr).toMatch(/number 6, and number 7 was taken already/);
  });

  it('says that no market is set that could want something', async () => {
    expect((await run('market', 'tasks')).stdout).toContain('No market is set');
  });

  it('says that nothing left this computer', async () => {
    expect((await run('sent')).stdout).toContain('Nothing has left this computer.');
    expect(JSON.parse((await run('sent', '--json')).stdout)).toEqual([]);
  });

  it.each(['http://tasks.example/list.json', 'ftp://127.0.0.1/x'])('asks nobody at %s', async (address) => {
    const command = await quarry(['focus', 'tasks', '--data', folder.path], { QUARRY_FOCUS_BOOSTED_TASKS: address });
    expect(await command.ended()).toBe(1);
    expect(command.stderr).toMatch(/begins with https/);
  });
});
