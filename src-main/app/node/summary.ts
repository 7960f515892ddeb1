import { hostname } from 'node:os';
import type { CreditSummary } from '../../../src-preload/contract/credits.ts';
import type { NodeSummary } from '../../../src-preload/contract/fleet.ts';
import { MAX_NODE_NAME_CHARS } from '../../../src-preload/contract/limits.ts';
import type { Role } from '../../../src-preload/contract/node.ts';
import { nodeStanding } from '../../../src-preload/contract/standing.ts';
import { foreignLine } from '../../base/foreign-text.ts';
import { version } from '../../base/version.ts';
import type { GpuLoad } from '../../hardware/gpu-load.ts';
import type { NodeReading } from './reading.ts';

/** Milliseconds for which what was earned is not added up again. */
const SUMMED_MS = 10_000;
const MAX_DETAIL_CHARS = 300;
const MAX_CARD_CHARS = 100;

type Sums = Pick<CreditSummary, 'earnedToday' | 'earnedWeek' | 'tier' | 'available'>;

export interface SummarySources {
  /** As it was set; default: what the computer is called. */
  name: () => string | undefined;
  role: Role;
  credits: { summary(): Promise<Sums> };
  energy: { cards(): readonly GpuLoad[] };
  read: () => NodeReading;
  /** Unix milliseconds. Default Date.now. */
  now?: () => number;
}

/** What this node says of itself to the others of its owner, as often as it is asked. It throws what the books throw, and asks them anew then. */
export function nodeSummaries(sources: SummarySources): () => Promise<NodeSummary> {
  const { name, role, credits, energy, read, now = Date.now } = sources;
  let summed: { at: number; sums: Sums } | undefined;
  return async () => {
    if (!summed || now() - summed.at >= SUMMED_MS) summed = { at: now(), sums: await credits.summary() };
    const { earnedToday, earnedWeek, tier, available } = summed.sums;
    const card = warmest(energy.cards());
    return {
      name: oneLine(name() ?? hostname(), MAX_NODE_NAME_CHARS) || 'Quarry',
      version,
      role,
      ...standingParts(read()),
      ...(card && { gpu: card }),
      earned: { today: earnedToday, week: earnedWeek },
      tier,
      credits: available,
    };
  };
}

type StandingParts = Pick<NodeSummary, 'standing' | 'rule' | 'detail' | 'model' | 'tokensPerSecond' | 'use'>;

/** How mining stands, and why; as on the status pill. */
function standingParts(reading: NodeReading): StandingParts {
  const { mining, engine, policy, health, speed } = reading;
  const standing = nodeStanding(reading);
  const isHeld = standing === 'paused' || standing === 'slowed';
  const rule = policy?.rules.find((one) => isHeld && policy.reasons.some((reason) => reason.rule === one.rule))?.rule;
  const failure = standing === 'failed' ? (mining?.error?.message ?? engine.error) : undefined;
  const why = failure ?? (standing === 'refusing' ? health?.reason : undefined);
  const model = mining?.model;
  return {
    standing,
    ...(rule && { rule }),
    ...(why && { detail: oneLine(why, MAX_DETAIL_CHARS) }),
    ...(model && { model }),
    ...(speed && { tokensPerSecond: Math.round(speed.tokensPerSecond * 10) / 10 }),
    ...(health && { use: useOf(health.use) }),
  };
}

/** Percent in use. */
function useOf({ cpu, memory, gpu, vram }: NonNullable<NodeReading['health']>['use']): NodeSummary['use'] {
  return {
    cpu: Math.round(cpu.percent),
    memory: Math.round(memory.percent),
    ...(gpu && { gpu: Math.round(gpu.percent) }),
    ...(vram && { vram: Math.round(vram.percent) }),
  };
}

/** The card that is warmest, else the first; undefined where nobody tells of any. */
function warmest(cards: readonly GpuLoad[]): NodeSummary['gpu'] {
  const [card] = cards.toSorted((a, b) => (b.temperature ?? -1) - (a.temperature ?? -1));
  if (!card) return undefined;
  const { name, temperature } = card;
  return {
    name: oneLine(name, MAX_CARD_CHARS),
    ...(temperature !== undefined && { temperature: Math.round(temperature) }),
  };
}

/** In one line, no longer than a message may be. */
function oneLine(text: string, most: number): string {
  return foreignLine([...foreignLine(text)].slice(0, most).join('').slice(0, most));
}
