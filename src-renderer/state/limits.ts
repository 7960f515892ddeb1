import type { NodeStatus } from '../../src-preload/contract/node.ts';
import type { Said } from '../../src-preload/contract/saying.ts';

/** A reason why this node serves less than it could. `detail` is main's own sentence about it. */
export interface Limit {
  kind:
    | 'role'
    | 'stopped'
    | 'startFailed'
    | 'starting'
    | 'stopping'
    | 'engineBroken'
    | 'engineRestarting'
    | 'paused'
    | 'slowed'
    | 'refusing'
    | 'busy'
    | 'noPeers';
  detail?: string | undefined;
  said?: Said;
  /** The rule of the load policy, for `paused` and `slowed`. */
  rule?: string;
}

/** Health opens at most this share of the queue, in percent, before it is worth a word. */
const BUSY_CAPACITY = 40;

/** What limits a node now, the strongest first; empty at full speed. */
export function limitsOf(status: NodeStatus): Limit[] {
  const standstill = whyNothingRuns(status);
  if (standstill) return [standstill];
  return [...policyLimits(status), ...engineLimits(status), ...healthLimits(status), ...peerLimits(status)];
}

function whyNothingRuns({ mining }: NodeStatus): Limit | undefined {
  if (!mining) return { kind: 'role' };
  if (mining.state === 'running') return undefined;
  if (mining.state === 'stopped' && mining.error) return { kind: 'startFailed', ...detailOf(mining.error, 'message') };
  return { kind: mining.state };
}

function policyLimits({ policy }: NodeStatus): Limit[] {
  if (!policy) return [];
  const limits = policy.reasons.map((reason): Limit => {
    const { rule } = reason;
    const pauses = policy.rules.some((one) => one.rule === rule && one.action === 'pause');
    return { kind: pauses ? 'paused' : 'slowed', rule, ...detailOf(reason, 'text') };
  });
  return limits.sort((a, b) => Number(b.kind === 'paused') - Number(a.kind === 'paused'));
}

function engineLimits({ engine }: NodeStatus): Limit[] {
  const { state } = engine;
  if (state === 'broken') return [{ kind: 'engineBroken', ...detailOf(engine, 'error') }];
  return state === 'restarting' ? [{ kind: 'engineRestarting', ...detailOf(engine, 'error') }] : [];
}

function healthLimits({ health }: NodeStatus): Limit[] {
  if (!health) return [];
  if (!health.accepting) return [{ kind: 'refusing', ...detailOf(health, 'reason') }];
  return health.capacity <= BUSY_CAPACITY ? [{ kind: 'busy' }] : [];
}

/** The sentence of one field, with what the screens word it from. */
function detailOf<Field extends string>(
  view: { readonly [Name in Field]?: string | undefined } & { readonly said?: Said | undefined },
  field: Field,
): Pick<Limit, 'detail' | 'said'> {
  const saying = view.said?.[field];
  return { detail: view[field], ...(saying && { said: { detail: saying } }) };
}

function peerLimits({ peers }: NodeStatus): Limit[] {
  return peers === 0 ? [{ kind: 'noPeers' }] : [];
}
