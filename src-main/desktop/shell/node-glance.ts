import type { App } from '../../app/app.ts';

/** What the tray shows at a glance. */
export type TrayState = 'starting' | 'mining' | 'paused' | 'stopped' | 'trouble';

export interface NodeGlance {
  state: TrayState;
  /** Why it is paused or in trouble, for a person. */
  reason?: string;
  /** What may be done about mining now; absent where this node does not mine. */
  mining?: 'start' | 'stop';
  /** Whether downloads are under way that could be paused. */
  downloading: boolean;
}

const UNDER_WAY = ['waiting', 'downloading'];

/** How the node is. @param failure why there is none, where it could not be opened */
export function glanceAt(node: App | undefined, failure?: string): NodeGlance {
  if (failure !== undefined) return { state: 'trouble', reason: failure, downloading: false };
  if (!node) return { state: 'starting', downloading: false };
  return { ...stateOf(node), mining: miningStep(node), downloading: isDownloading(node) };
}

function stateOf({ backend, mining, policy }: App): Pick<NodeGlance, 'state' | 'reason'> {
  const engine = backend?.status();
  if (engine?.state === 'broken') return { state: 'trouble', reason: engine.error?.message };
  const { state, error } = mining?.view() ?? { state: 'stopped' };
  if (error) return { state: 'trouble', reason: error.message };
  if (state !== 'running') return { state: state === 'starting' ? 'starting' : 'stopped' };
  const { mode, reasons } = policy?.current() ?? { mode: 'full', reasons: [] };
  if (mode === 'paused') return { state: 'paused', reason: reasons.map(({ text }) => text).join(' ') };
  return { state: 'mining' };
}

function miningStep({ mining }: App): NodeGlance['mining'] {
  const state = mining?.view().state;
  if (state === undefined) return undefined;
  return state === 'running' || state === 'starting' ? 'stop' : 'start';
}

function isDownloading({ models }: App): boolean {
  return models.downloads.list().some(({ state }) => UNDER_WAY.includes(state));
}
