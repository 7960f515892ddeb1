import type { GapKind, PolicyRule } from '../../src-preload/contract/activity.ts';
import type { NodeStatus } from '../../src-preload/contract/node.ts';

/** Whether a miner can serve at a moment. */
export interface ActivityState {
  /** How much of its speed it would serve with: 1, 0, or what the load policy leaves of it. */
  share: number;
  /** Why it is not all of it; undefined at full speed, and while a model is being loaded or taken out. */
  gap: { kind: GapKind; rule: PolicyRule | null } | undefined;
  /** Empty while none is loaded. */
  model: string;
}

/** What is read of the node for it. */
export type ActivityReading = Pick<NodeStatus, 'engine' | 'mining' | 'policy' | 'health' | 'peers'>;

/** What a queue that is full refuses is counted by the request, and a restored node waits for no program. */
const FOR_OTHER_PROGRAMS: ReadonlySet<string | undefined> = new Set(['cpu', 'memory', 'overloaded']);

/**
 * What a miner is at a moment. Of several things that stand in its way the first counts: who stopped it, the engine, the load policy, other
 * programs, that nobody is in reach.
 *
 * @param throttledShare how much of the speed the load policy leaves
 */
export function activityState(
  { engine, mining, policy, health, peers }: ActivityReading,
  throttledShare: number,
): ActivityState {
  const model = engine.model?.name ?? '';
  const lacking = (kind: GapKind, rule: PolicyRule | null = null, share = 0) => ({ share, gap: { kind, rule }, model });
  if (!mining || mining.state === 'stopped') return lacking(mining?.error ? 'failed' : 'stopped');
  if (mining.state !== 'running') return { share: 0, gap: undefined, model };
  if (engine.state !== 'ready') return lacking('failed');
  if (policy?.mode === 'paused') return lacking('paused', ruleThat(policy, 'pause'));
  if (FOR_OTHER_PROGRAMS.has(health?.refusal)) return lacking('refusing');
  if (peers === 0) return lacking('alone');
  if (policy?.mode === 'throttled') return lacking('throttled', ruleThat(policy, 'throttle'), throttledShare);
  return { share: 1, gap: undefined, model };
}

/** The first of the rules that are met and ask for it. */
function ruleThat({ rules }: NonNullable<ActivityReading['policy']>, action: 'pause' | 'throttle'): PolicyRule | null {
  return rules.find((one) => one.state === 'met' && one.action === action)?.rule ?? null;
}
