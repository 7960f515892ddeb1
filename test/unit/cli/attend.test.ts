import { EventEmitter } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { expect, it, vi } from 'vitest';
import type { App } from '../../../src-main/app/app.ts';
import type { NodeHost } from '../../../src-main/app/node-host.ts';
import { attend } from '../../../src-main/cli/attend.ts';
import type { Output } from '../../../src-main/cli/output.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';

/** A host that has one node after another, each as much of one as is looked at here. */
function makeHost(app: App): NodeHost & { put(app: App | undefined): void } {
  const host = Object.assign(new EventEmitter(), {
    app: app as App | undefined,
    put: (next: App | undefined) => {
      host.app = next;
      if (next) host.emit('open', next);
    },
  });
  return host as unknown as ReturnType<typeof makeHost>;
}

/** @param loading resolves when its model is there; @param broken nothing can be learnt of it, as of one that is closed */
function makeApp(id: string, { loading = Promise.resolve(), broken = false, rejected = undefined as unknown } = {}) {
  const credits = { available: 1, points: 2, tier: 'newcomer' };
  const status = async () => {
    if (broken) throw new Error('the database is closed');
    return { id: id.repeat(64), engine: { state: 'none' }, mining: { state: 'running' }, credits, url: 'http://x' };
  };
  const config = { role: 'miner', mesh: {} };
  const app = {
    on: vi.fn(),
    mining: { state: 'starting', start: () => loading },
    status,
    config,
    settings: { rejected },
  };
  return app as unknown as App;
}

function makeOutput() {
  const said: string[] = [];
  const say = (text = '') => void said.push(stripVTControlCharacters(text));
  const documents: unknown[] = [];
  const output: Output = { json: false, line: say, write: say, note: say, document: (one) => void documents.push(one) };
  return { said, documents, output };
}

it('presents the node once its model is there, and whichever takes its place', async () => {
  const { said, documents, output } = makeOutput();
  const leaving = new AbortController();
  const host = makeHost(makeApp('a'));
  const attending = attend(host, output, leaving.signal);
  await vi.waitFor(() => expect(said.join('\n')).toContain('node     aaaa'));
  host.put(makeApp('b'));
  await vi.waitFor(() => expect(said.join('\n')).toMatch(/started again[\s\S]*node {5}bbbb/));
  leaving.abort();
  await attending;
  expect(documents).toMatchObject([{ id: 'a'.repeat(64) }]);
});

it('goes on when the node is replaced while its model is being loaded', async () => {
  const { said, documents, output } = makeOutput();
  const leaving = new AbortController();
  const { promise: loading, reject } = Promise.withResolvers<void>();
  const host = makeHost(makeApp('a', { loading, broken: true }));
  const attending = attend(host, output, leaving.signal);
  host.put(undefined);
  reject(new QuarryError({ code: 'CANCELLED', message: 'Mining was stopped.' }));
  host.put(makeApp('b'));
  await vi.waitFor(() => expect(said.join('\n')).toContain('node     bbbb'));
  expect(said.join('\n')).not.toContain('aaaa');
  leaving.abort();
  await attending;
  expect(documents).toMatchObject([{ id: 'b'.repeat(64) }]);
});

it('says when the node runs with what was set before, and why', async () => {
  const { said, output } = makeOutput();
  const leaving = new AbortController();
  const rejected = new QuarryError({ code: 'PORT_IN_USE', message: 'Port 80 is in use.' });
  const attending = attend(makeHost(makeApp('a', { rejected })), output, leaving.signal);
  await vi.waitFor(() => expect(said.join('\n')).toMatch(/Port 80 is in use\.[\s\S]*what was set there before/));
  leaving.abort();
  await attending;
});

it('fails when nothing can be learnt of the node that runs', async () => {
  const { output } = makeOutput();
  const host = makeHost(makeApp('a', { broken: true }));
  await expect(attend(host, output, new AbortController().signal)).rejects.toThrow('the database is closed');
});
