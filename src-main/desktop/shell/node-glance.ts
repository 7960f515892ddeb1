import type { MeshWork } from '../../app/engine/mesh-work.ts';
import type { Downloads } from '../../models/downloads/downloads.ts';

/** As much of a node as is shown outside the window. */
export interface ShownNode {
  readonly engine: { slot: { status(): { state: string; error?: { message: string } | undefined } } } | undefined;
  readonly mining:
    | {
        switch: {
          view(): { state: string; error?: { message: string } | undefined };
          start(): Promise<void>;
          stop(): Promise<void>;
          subscribe(listener: () => void): () => void;
        };
        policy: { current(): { mode: string; reasons: { text: string }[] } };
        work: Pick<MeshWork, 'on' | 'off'>;
      }
    | undefined;
  readonly models: { downloads: Pick<Downloads, 'list' | 'watch' | 'pause'> };
  readonly credits: { summary(): Promise<{ earnedToday: number }> };
}

/** Whoever keeps a node that may be replaced. */
export interface ShownHost {
  readonly app: ShownNode | undefined;
  on(event: 'open' | 'close', listener: (app: ShownNode) => void): this;
  off(event: 'open' | 'close', listener: (app: ShownNode) => void): this;
}

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
export function glanceAt(node: ShownNode | undefined, failure?: string): NodeGlance {
  if (failure !== undefined) return { state: 'trouble', reason: failure, downloading: false };
  if (!node) return { state: 'starting', downloading: false };
  return { ...stateOf(node), mining: miningStep(node), downloading: isDownloading(node) };
}

function stateOf({ engine: place, mining }: ShownNode): Pick<NodeGlance, 'state' | 'reason'> {
  const engine = place?.slot.status();
  if (engine?.state === 'broken') return { state: 'trouble', reason: engine.error?.message };
  const { state, error } = mining?.switch.view() ?? { state: 'stopped' };
  if (error) return { state: 'trouble', reason: error.message };
  if (state !== 'running') return { state: state === 'starting' ? 'starting' : 'stopped' };
  const { mode, reasons } = mining?.policy.current() ?? { mode: 'full', reasons: [] };
  if (mode === 'paused') return { state: 'paused', reason: reasons.map(({ text }) => text).join(' ') };
  return { state: 'mining' };
}

function miningStep({ mining }: ShownNode): NodeGlance['mining'] {
  const state = mining?.switch.view().state;
  if (state === undefined) return undefined;
  return state === 'running' || state === 'starting' ? 'stop' : 'start';
}

function isDownloading({ models }: ShownNode): boolean {
  return models.downloads.list().some(({ state }) => UNDER_WAY.includes(state));
}
