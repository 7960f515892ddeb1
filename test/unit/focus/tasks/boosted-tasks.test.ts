import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  isNewerList,
  MAX_LIST_BYTES,
  readBoostedList,
  signedBytes,
} from '../../../../src-main/focus/tasks/boosted-list.ts';
import { BoostedTasks } from '../../../../src-main/focus/tasks/boosted-tasks.ts';
import { identityFromSeed, verify } from '../../../../src-main/mesh/transport/identity.ts';
import type { Db } from '../../../../src-main/store/database.ts';
import { FocusTaskStore } from '../../../../src-main/store/focus/focus-tasks.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';

const signer = identityFromSeed(Buffer.alloc(32, 3));
const NOW = 1_700_000_000_000;
const TASK = {
  id: 'budget',
  title: 'Build a budget',
  description: 'With sums\nand a chart.',
  multiplier: 2.5,
  validUntil: NOW + 1_000,
};

function listOf(number: unknown, tasks: unknown, by = signer): Buffer {
  const signature = by.sign(signedBytes({ number, tasks }));
  return Buffer.from(JSON.stringify({ number, tasks, signature }));
}

const read = (bytes: Uint8Array) => readBoostedList(bytes, signer.id, verify);

describe('a list of boosted tasks', () => {
  it('is taken as it was signed, in words that steer no terminal', () => {
    const { number, tasks } = read(listOf(7, [{ ...TASK, title: ' Build\u001b[31m a \u202ebudget ' }]));
    expect({ number, tasks }).toEqual({ number: 7, tasks: [{ ...TASK, title: 'Build [31m a budget' }] });
  });

  it.each([
    ['that is too large', () => Buffer.alloc(MAX_LIST_BYTES + 1, ' '), /more than/],
    ['that is no JSON', () => Buffer.from('{"number":'), /not JSON/],
    ['that is no UTF-8', () => Buffer.from([0xff, 0xfe]), /not JSON/],
    ['that nests', () => Buffer.from(`${'['.repeat(50_000)}${']'.repeat(50_000)}`), /too deep/],
    ['without a list', () => Buffer.from('null'), /has to be/],
    [
      'of too many tasks',
      () =>
        listOf(
          1,
          Array.from({ length: 201 }, (_, at) => ({ ...TASK, id: `t${at}` })),
        ),
      /has to be \(tasks\)/,
    ],
    [
      'with half a character',
      () =>
        Buffer.from(
          `{"number":1,"tasks":[${JSON.stringify(TASK).replace('Build', '\\ud800')}],"signature":"${'0'.repeat(128)}"}`,
        ),
      /tasks\.0\.title/,
    ],
    ['with more in it than was asked for', () => listOf(1, [{ ...TASK, script: 'x' }]), /tasks\.0/],
    ['with a multiplier above 5', () => listOf(1, [{ ...TASK, multiplier: 5.1 }]), /multiplier/],
    ['with a multiplier below 1', () => listOf(1, [{ ...TASK, multiplier: 0 }]), /multiplier/],
    ['with an empty title', () => listOf(1, [{ ...TASK, title: '\u202e' }]), /title/],
    ['with an id that could be a path', () => listOf(1, [{ ...TASK, id: '../x' }]), /id/],
    ['with a task twice', () => listOf(1, [TASK, TASK]), /twice/],
    ['with a number that counts down', () => listOf(-1, [TASK]), /number/],
    ['of somebody else', () => listOf(1, [TASK], identityFromSeed(Buffer.alloc(32, 4))), /not signed/],
    [
      'that was changed after it was signed',
      () => Buffer.from(String(listOf(1, [TASK])).replace('2.5', '4.5')),
      /not signed/,
    ],
  ])('%s is not taken', (_what, bytes, why) => {
    expect(() => read(bytes())).toThrow(why);
  });

  it('takes the place of an older one only', () => {
    const known = read(listOf(7, [TASK]));
    expect(isNewerList(read(listOf(8, [])), known)).toBe(true);
    expect(isNewerList(read(listOf(7, [TASK])), known)).toBe(false);
    expect(() => isNewerList(read(listOf(6, [TASK])), known)).toThrow(/number 7 was taken already/);
    expect(() => isNewerList(read(listOf(7, [])), known)).toThrow(/another list/);
  });
});

describe('boosted tasks', () => {
  let db: Db;
  let server: Server;
  let answer: { status: number; body: Buffer; location?: string };
  let asked: number;
  let now: number;
  let tasks: BoostedTasks;
  const { signal } = new AbortController();

  beforeEach(async () => {
    db = await memoryDatabase();
    [answer, asked, now] = [{ status: 200, body: listOf(7, [TASK]) }, 0, NOW];
    server = createServer((_request, response) => {
      asked++;
      response.writeHead(answer.status, answer.location ? { location: answer.location } : {}).end(answer.body);
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    tasks = open();
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
    await db.destroy();
  });

  function open(key: string | undefined = signer.id): BoostedTasks {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/list`;
    return new BoostedTasks({
      store: new FocusTaskStore(db),
      verify,
      source: () => ({ address, key }),
      now: () => now,
    });
  }
  const titles = async (of = tasks) => (await of.tasks()).map(({ title }) => title);

  it('are fetched once an hour, and outlive the node', async () => {
    await tasks.lookIfStale(signal);
    await tasks.lookIfStale(signal);
    expect([asked, await titles()]).toEqual([1, ['Build a budget']]);
    now += 3_600_001;
    await tasks.lookIfStale(signal);
    expect(asked).toBe(2);
    now = NOW;
    expect(await titles(open())).toEqual(['Build a budget']);
  });

  it('go when their time is over', async () => {
    await tasks.look(signal);
    now = TASK.validUntil;
    expect(await titles()).toEqual([]);
    // Who recorded one until then offers it later.
    expect(await tasks.find('budget')).toMatchObject({ title: 'Build a budget', multiplier: 2.5 });
    expect(await tasks.find('other')).toBeUndefined();
  });

  it('of an older list never come back, not even after a restart', async () => {
    await tasks.look(signal);
    answer.body = listOf(6, [{ ...TASK, title: 'Old', multiplier: 5 }]);
    const again = open();
    await again.look(signal);
    expect(await titles(again)).toEqual(['Build a budget']);
    expect((await again.state()).error?.message).toMatch(/number 6, and number 7/);
  });

  it('stay when the server answers with something else, leads elsewhere or fails', async () => {
    await tasks.look(signal);
    for (const other of [
      { status: 200, body: Buffer.from('<html>') },
      { status: 200, body: Buffer.alloc(3 << 20, ' ') },
      { status: 302, body: Buffer.alloc(0), location: 'http://127.0.0.1:9/' },
      { status: 500, body: Buffer.alloc(0) },
    ]) {
      answer = other;
      await tasks.look(signal);
      expect((await tasks.state()).error).toBeDefined();
      expect(await titles()).toEqual(['Build a budget']);
    }
    answer = { status: 200, body: listOf(8, []) };
    await tasks.look(signal);
    expect([await tasks.state(), await titles()]).toMatchObject([{ number: 8 }, []]);
    expect((await tasks.state()).error).toBeUndefined();
  });

  it('are those of the key in the settings alone', async () => {
    await tasks.look(signal);
    const other = open(identityFromSeed(Buffer.alloc(32, 4)).id);
    expect(await titles(other)).toEqual([]);
    await other.look(signal);
    expect([await titles(other), (await other.state()).error?.message]).toMatchObject([[], /not signed/]);
    await expect(
      new BoostedTasks({
        store: new FocusTaskStore(db),
        verify,
        source: () => ({ address: undefined, key: undefined }),
      }).look(signal),
    ).rejects.toThrow(/name no list/);
  });
});
