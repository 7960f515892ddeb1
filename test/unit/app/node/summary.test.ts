import { expect, it } from 'vitest';
import { type ReadParts, readNode } from '../../../../src-main/app/node/reading.ts';
import { nodeSummaries, type SummarySources } from '../../../../src-main/app/node/summary.ts';
import { FLEET_NETWORK } from '../../../../src-main/mesh/fleet/messages.ts';
import { toWords } from '../../../../src-main/mesh/fleet/summary-words.ts';

type Reading = ReturnType<typeof readNode>;

const NOTHING: ReadParts = { engine: undefined, mesh: undefined, mining: undefined };
const SUMS = { earnedToday: 12, earnedWeek: 80, tier: 'bronze' as const, available: 5 };
const part = (percent: number) => ({ percent, limits: false });
const MINING = {
  peers: 2,
  engine: { state: 'ready' as const },
  mining: { state: 'running' as const, model: 'tiny' },
  health: { accepting: true, use: { cpu: part(10.4), memory: part(20.6), gpu: part(30) } },
} as Partial<Reading>;

function summaries(reading: Partial<Reading> = {}, more: Partial<SummarySources> = {}) {
  const read = () => ({ ...readNode(NOTHING), ...reading }) as Reading;
  const credits = { summary: async () => SUMS };
  return nodeSummaries({ name: () => 'PC', role: 'miner', credits, energy: { cards: () => [] }, read, ...more });
}

it('of a node that only asks says what it has, and of the rest nothing', async () => {
  const summary = await summaries({}, { role: 'client' })();
  expect(summary).toMatchObject({ name: 'PC', role: 'client', standing: 'client', credits: 5, tier: 'bronze' });
  expect(summary.earned).toEqual({ today: 12, week: 80 });
  expect(Object.keys(summary)).not.toContain('use');
});

it('of a miner says how it stands, what is in use, and which card is warmest', async () => {
  const cards = [{ name: 'A', temperature: 40 }, { name: 'B', temperature: 70.4 }, { name: 'C' }];
  const summary = await summaries(MINING, { energy: { cards: () => cards } })();
  expect(summary).toMatchObject({
    ...{ standing: 'ready', model: 'tiny', gpu: { name: 'B', temperature: 70 } },
    use: { cpu: 10, memory: 21, gpu: 30 },
  });
});

it('says why: the rule that holds it back, what made a start fail, why it takes nothing', async () => {
  const rule = { rule: 'heat' } as const;
  const policy = { mode: 'paused', reasons: [rule], rules: [{ rule: 'battery' }, rule] } as Reading['policy'];
  expect(await summaries({ ...MINING, policy })()).toMatchObject({ standing: 'paused', rule: 'heat' });
  const free = { ...policy, mode: 'full' } as Reading['policy'];
  expect(await summaries({ ...MINING, policy: free })(), 'a rule that holds nothing back').not.toHaveProperty('rule');
  const mining = { state: 'stopped', error: { message: 'no\n\u001b[2Jroom '.repeat(99) } } as Reading['mining'];
  const failed = await summaries({ ...MINING, mining })();
  expect(failed.standing).toBe('failed');
  expect(failed.detail).toMatch(/^no \[2Jroom no/);
  expect(failed.detail?.length).toBeLessThanOrEqual(300);
  const health = { ...MINING.health, accepting: false, reason: 'busy with a game' } as Reading['health'];
  expect(await summaries({ ...MINING, health })()).toMatchObject({ standing: 'refusing', detail: 'busy with a game' });
});

it('is one that others take, whatever the node and its cards are called', async () => {
  for (const name of ['', ' \n ', '\u001b[31m', '👋'.repeat(40), 'x'.repeat(500)]) {
    const cards = [{ name: `${name}\u202e${'y'.repeat(300)}` }];
    const summary = toWords(await summaries(MINING, { name: () => name, energy: { cards: () => cards } })());
    const message = { v: 2, type: 'node-summary', summary, control: false };
    expect(FLEET_NETWORK.schema.safeParse(message).error, name).toBeUndefined();
  }
});

it('adds up what was earned every ten seconds at most, and again at once where that failed', async () => {
  let [now, asked] = [0, 0];
  const credits = {
    async summary() {
      if (++asked === 1) throw new Error('busy');
      return { ...SUMS, earnedToday: 10 + asked };
    },
  };
  const summary = summaries({}, { now: () => now, credits });
  await expect(summary()).rejects.toThrow('busy');
  expect((await summary()).earned.today).toBe(12);
  now = 9_999;
  expect((await summary()).earned.today).toBe(12);
  now = 10_000;
  expect((await summary()).earned.today).toBe(13);
  expect(asked).toBe(3);
});
