import { describe, expect, it } from 'vitest';
import { type NodeReading, readNode } from '../../../../src-main/app/node/reading.ts';
import { backupReport } from '../../../../src-main/app/parts/backup.ts';
import { engineReport } from '../../../../src-main/app/parts/engine.ts';
import { fleetReport } from '../../../../src-main/app/parts/mesh/fleet.ts';
import { meshReport } from '../../../../src-main/app/parts/mesh/mesh.ts';
import { miningReport } from '../../../../src-main/app/parts/mesh/mining.ts';
import { allOf, type Report, wholeHealth } from '../../../../src-main/app/parts/report.ts';
import { openServer, scrape } from '../../../support/server-harness.ts';

const NOTHING = readNode({ engine: undefined, mesh: undefined, mining: undefined });
const health = {
  score: 87,
  state: 'idle' as const,
  parts: { cpu: 1, memory: 1, load: 1, queue: 1 },
  use: {
    cpu: { percent: 0, limits: false },
    memory: { percent: 0, limits: false },
    queue: { percent: 0, limits: false },
  },
  capacity: 100,
  accepting: true,
};

/** What the parts of a node report that is read as this. */
function reportsOf(read: () => Partial<NodeReading>, restarts = 0): Report[] {
  const whole = () => ({ ...NOTHING, ...read() });
  const engine = { slot: { current: { engine: { restarts } } } } as Parameters<typeof engineReport>[0];
  return [engineReport(engine, whole), meshReport(undefined, whole), miningReport(whole)];
}

function backupReportOf(lastAt: () => number | null, tier: 'bronze' | 'silver'): Report {
  const backup = { state: async () => ({ lastAt: lastAt(), databaseBytes: 1 }) };
  return backupReport(backup, { holdings: async () => ({ available: 0, points: 0, tier }) });
}

const figuresOf = (reports: Report[]) => reports.flatMap(({ figures = [] }) => figures);
const ready = { state: 'ready', active: 0, waiting: 0 } as const;

describe('the figures of a node', () => {
  it('report its state', async () => {
    let peers = 3;
    const queue = { waiting: 4, active: 2, waits: [] };
    const served = { requests: 10, tokens: 200, refused: 1 };
    const read = () => ({ queue, served, peers, engine: ready, health });
    const { url } = await openServer({ figures: figuresOf(reportsOf(read, 1)) });
    const first = await scrape(url);
    expect(first.get('quarry_queue_waiting')).toBe(4);
    expect(first.get('quarry_queue_active')).toBe(2);
    expect(first.get('quarry_health_score')).toBe(87);
    expect(first.get('quarry_peers')).toBe(3);
    expect(first.get('quarry_engine_state{state="ready"}')).toBe(1);
    expect(first.get('quarry_engine_restarts_total')).toBe(1);
    expect(first.get('quarry_mesh_requests_total')).toBe(10);
    expect(first.get('quarry_mesh_tokens_total')).toBe(200);
    expect(first.get('quarry_mesh_refused_total')).toBe(1);
    peers = 4;
    expect((await scrape(url)).get('quarry_peers')).toBe(4);
  });

  it('report the waits of each tier against its target', async () => {
    const waits = [
      { tier: 'gold', served: 4, meanMs: 1_500, maxMs: 4_000, targetMs: 3_000, withinTarget: 0.75 },
      { tier: 'newcomer', served: 2, meanMs: 8_000, maxMs: 9_000 },
    ];
    const { url } = await openServer({
      figures: figuresOf(reportsOf(() => ({ queue: { waiting: 0, active: 0, waits } }))),
    });
    const values = [...(await scrape(url))].filter(([name]) => name.startsWith('quarry_queue_wait_'));
    expect(Object.fromEntries(values)).toEqual({
      'quarry_queue_wait_mean_seconds{tier="gold"}': 1.5,
      'quarry_queue_wait_mean_seconds{tier="newcomer"}': 8,
      'quarry_queue_wait_max_seconds{tier="gold"}': 4,
      'quarry_queue_wait_max_seconds{tier="newcomer"}': 9,
      'quarry_queue_wait_target_seconds{tier="gold"}': 3,
      'quarry_queue_wait_within_target_ratio{tier="gold"}': 0.75,
    });
  });

  it('show one engine state at a time', async () => {
    let state: 'ready' | 'restarting' = 'ready';
    const { url } = await openServer({ figures: figuresOf(reportsOf(() => ({ engine: { ...ready, state } }))) });
    await scrape(url);
    state = 'restarting';
    const states = [...(await scrape(url)).keys()].filter((key) => key.startsWith('quarry_engine_state'));
    expect(states).toEqual(['quarry_engine_state{state="restarting"}']);
  });

  it('are there on a node that does nothing, too', async () => {
    const { url } = await openServer({ figures: figuresOf(reportsOf(() => NOTHING)) });
    const values = await scrape(url);
    expect(values.get('quarry_engine_state{state="none"}')).toBe(1);
    expect(values.get('quarry_queue_waiting')).toBe(0);
    expect(values.get('quarry_health_score')).toBeNaN();
  });

  it('tell the other nodes of its owner, and when each was heard last', async () => {
    const common = { self: false, name: 'PC', mayControlThis: false, controllable: false };
    const others = () => [
      { ...common, id: 'a'.repeat(64), online: true },
      { ...common, id: 'b'.repeat(64), online: false, seenAt: 5_000 },
    ];
    const { figures = [] } = fleetReport({ others });
    const { url } = await openServer({ figures });
    const before = Date.now() / 1_000;
    const values = await scrape(url);
    expect(values.get('quarry_paired_nodes')).toBe(2);
    expect(values.get('quarry_paired_nodes_connected')).toBe(1);
    expect(values.get('quarry_paired_node_seen_timestamp_seconds{node="aaaaaaaa"}')).toBeGreaterThanOrEqual(before);
    expect(values.get('quarry_paired_node_seen_timestamp_seconds{node="bbbbbbbb"}')).toBe(5);
    expect(fleetReport(undefined)).toEqual({});
  });

  it('tell when the node was backed up last', async () => {
    let lastAt: number | null = null;
    const { figures = [] } = backupReportOf(() => lastAt, 'silver');
    const { url } = await openServer({ figures });
    expect((await scrape(url)).get('quarry_backup_timestamp_seconds')).toBeNaN();
    lastAt = 7_000;
    expect((await scrape(url)).get('quarry_backup_timestamp_seconds')).toBe(7);
  });
});

describe('the doctor', () => {
  it.each([
    ['bronze', 'ok'],
    ['silver', 'warn'],
  ] as const)('says of a node of tier %s that was never backed up: %s', async (tier, status) => {
    expect(await backupReportOf(() => null, tier).checks?.backup?.()).toMatchObject({ name: 'backup', status });
  });

  it('looks at the other nodes of the owner', async () => {
    const check = fleetReport({ others: () => [] }).checks?.['my nodes'];
    expect(await check?.()).toMatchObject({ name: 'my nodes', status: 'skip' });
  });
});

describe('the health of a node', () => {
  it('is that of all its parts, under their own names', () => {
    const read = () => ({ engine: ready, peers: 2, health });
    expect(wholeHealth(reportsOf(read))).toEqual({
      ok: true,
      engine: 'ready',
      peers: 2,
      health: 87,
      policy: undefined,
    });
  });

  it('is bad when one of them is not well', () => {
    const broken = { engine: { ...ready, state: 'broken' as const } };
    expect(wholeHealth(reportsOf(() => broken))).toMatchObject({ ok: false, engine: 'broken' });
    const failed = { mining: { state: 'stopped' as const, error: { code: 'INTERNAL' as const, message: 'No.' } } };
    expect(wholeHealth(reportsOf(() => failed)).ok).toBe(false);
    expect(wholeHealth([{}, { health: () => ({ notes: 3 }) }])).toEqual({ ok: true, notes: 3 });
  });
});

it('sections and checks of all parts come together by name', () => {
  const one = async () => 1;
  const check = async () => ({ name: 'notes', status: 'ok' as const, found: 'All is well.' });
  const reports: Report[] = [{ diagnostics: { one } }, {}, { diagnostics: { two: one }, checks: { notes: check } }];
  expect(Object.keys(allOf(reports, 'diagnostics'))).toEqual(['one', 'two']);
  expect(allOf(reports, 'checks')).toEqual({ notes: check });
  expect(() => allOf([...reports, { checks: { notes: check } }], 'checks')).toThrow('notes');
});
