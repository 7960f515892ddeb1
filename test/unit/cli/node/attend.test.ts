import { EventEmitter } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { attend, type ReportedHost } from '../../../../src-main/cli/node/attend.ts';
import type { ReportedNode } from '../../../../src-main/cli/node/node-report.ts';
import type { Output } from '../../../../src-main/cli/terminal/output.ts';
import { MeshWork } from '../../../../src-main/mining/mesh-work.ts';
import { loadConfig } from '../../../../src-main/settings/config.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type { NodeStatus } from '../../../../src-preload/contract/node.ts';
import { until } from '../../../support/until.ts';

/** A host that has one node after another, each as much of one as is looked at here. */
class FakeHost extends EventEmitter implements ReportedHost {
  app: ReportedNode | undefined;

  constructor(app: ReportedNode) {
    super();
    this.app = app;
  }

  put(next: ReportedNode | undefined): void {
    this.app = next;
    if (next) this.emit('open', next);
  }
}

const makeHost = (app: ReportedNode) => new FakeHost(app);

/** @param loading resolves when its model is there; @param broken nothing can be learnt of it, as of one that is closed */
function makeApp(
  id: string,
  {
    loading = Promise.resolve(),
    broken = false,
    rejected = undefined as QuarryError | undefined,
    env = {},
    asks = undefined as boolean | undefined,
    serves = null as Awaited<ReturnType<ReportedNode['competition']['state']>>['running'],
  } = {},
): ReportedNode {
  const status = async (): Promise<NodeStatus> => {
    if (broken) throw new Error('the database is closed');
    return {
      ...{ id: id.repeat(64), name: id, version: '0', role: 'miner', mesh: 'public', startedAt: 0, url: 'http://x' },
      ...{ engine: { state: 'none', active: 0, waiting: 0 }, mining: { state: 'running' } },
      ...{ queue: { waiting: 0, active: 0, waits: [] }, peers: 0, peerClockOffsetsMs: [] },
      ...{ served: { requests: 0, tokens: 0, refused: 0 }, credits: { available: 1, points: 2, tier: 'newcomer' } },
    };
  };
  return {
    node: { status },
    mining: {
      switch: { state: 'starting', start: () => loading },
      work: new MeshWork(),
      policy: { subscribe: () => () => undefined },
    },
    competition: { state: async () => ({ running: serves }) },
    mesh: undefined,
    inference: { models: async () => [{ name: 'mesh' }, { name: 'local' }] },
    config: loadConfig({ env }),
    settings: { rejected, follow: () => ({ now: { enabled: asks } }) as never },
    door: { entry: () => ({ url: 'http://x/enter?code=abc', expiresAt: Date.now() + 600_000 }) },
  };
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
  await until(() => expect(said.join('\n')).toContain('node     aaaa'));
  host.put(makeApp('b'));
  await until(() => expect(said.join('\n')).toMatch(/started again[\s\S]*node {5}bbbb/));
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
  await until(() => expect(said.join('\n')).toContain('node     bbbb'));
  expect(said.join('\n')).not.toContain('aaaa');
  leaving.abort();
  await attending;
  expect(documents).toMatchObject([{ id: 'b'.repeat(64) }]);
});

it.each([
  [false, /asking +off since it was stopped/],
  [true, /^(?!.*asking)[\s\S]*Ready\./],
])('says that a validator asks nobody since it was stopped, and nothing where it asks: %s', async (asks, words) => {
  const { said, output } = makeOutput();
  const leaving = new AbortController();
  const attending = attend(makeHost(makeApp('a', { env: { QUARRY_ROLE: 'validator' }, asks })), output, leaving.signal);
  await until(() => expect(said.join('\n')).toContain('Ready.'));
  expect(said.join('\n')).toMatch(words);
  leaving.abort();
  await attending;
});

it('says where a competition is served and under which key, for those who are to take part', async () => {
  const { said, output } = makeOutput();
  const leaving = new AbortController();
  const serves = { url: 'http://127.0.0.1:8094', server: '5Grw', open: { round: 3 } };
  const attending = attend(makeHost(makeApp('a', { serves })), output, leaving.signal);
  await until(() => expect(said.join('\n')).toContain('contest  round 3 at http://127.0.0.1:8094, key 5Grw'));
  leaving.abort();
  await attending;
});

it('says when the node runs with what was set before, and why', async () => {
  const { said, output } = makeOutput();
  const leaving = new AbortController();
  const rejected = new QuarryError({ code: 'PORT_IN_USE', message: 'Port 80 is in use.' });
  const attending = attend(makeHost(makeApp('a', { rejected })), output, leaving.signal);
  await until(() => expect(said.join('\n')).toMatch(/Port 80 is in use\.[\s\S]*runs with those before/));
  leaving.abort();
  await attending;
});

it('fails when nothing can be learnt of the node that runs', async () => {
  const { output } = makeOutput();
  const host = makeHost(makeApp('a', { broken: true }));
  await expect(attend(host, output, new AbortController().signal)).rejects.toThrow('the database is closed');
});
