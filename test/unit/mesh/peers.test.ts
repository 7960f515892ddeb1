import { expect, it } from 'vitest';
import { Peers, type PeersOptions } from '../../../src-main/mesh/peers.ts';
import type { Mark } from '../../../src-main/mesh/scores/score-marks.ts';

/** What is seen of the peers where so many workers were found out, one after the other. */
function view(found: number) {
  const marks = Array.from(
    { length: found },
    (_, at): Mark => ({ worker: `w${at}`, reason: 'forged', detail: 'test', at, expiresAt: 1_000_000 }),
  );
  const nobody = { inference: { peers: new Map() }, client: { workers: () => [] }, bans: { list: () => [] } };
  return new Peers({ self: 'me', ...nobody, scores: { marks: () => marks } } as unknown as PeersOptions).view();
}

it('a worker that says of a model not which file it is, is shown as unverified', () => {
  const peer = (id: string, models: object[]) => [id, { id, sides: new Set(['worker']), hello: { models } }];
  const peers = new Map([
    peer('declares', [{ name: 'm', sha256: 'ab'.repeat(32) }]),
    peer('silent', [{ name: 'm' }]),
    peer('client', []),
  ] as [string, unknown][]);
  const view = new Peers({
    ...{ self: 'me', inference: { peers }, client: { workers: () => [] }, bans: { list: () => [] } },
    ...{ scores: { marks: () => [] }, standings: { of: () => ({}) }, debts: { between: () => ({}) } },
  } as unknown as PeersOptions).view();
  expect(view.peers.filter(({ unverified }) => unverified).map(({ id }) => id)).toEqual(['silent']);
});

it('of workers that were found out the newest are shown, and how many there are besides', () => {
  const { marks, moreMarks } = view(5_000);
  expect([marks.length, marks[0]?.id, marks.at(-1)?.id, moreMarks]).toEqual([100, 'w4999', 'w4900', 4_900]);
  expect(view(3)).toMatchObject({ marks: [{ id: 'w2' }, { id: 'w1' }, { id: 'w0' }], moreMarks: 0 });
});
