import { type Said, type Words, wordsOf } from '../../../src-preload/contract/saying.ts';
import type { MeshWork } from '../../app/engine/mesh-work.ts';
import type { Downloads } from '../../models/downloads/downloads.ts';

/** An error as it is shown: a sentence, and what it is worded from. */
interface ShownError {
  message: string;
  said?: Said | undefined;
}

/** As much of a node as is shown outside the window. */
export interface ShownNode {
  readonly engine: { slot: { status(): { state: string; error?: ShownError | undefined } } } | undefined;
  readonly mining:
    | {
        switch: {
          view(): { state: string; error?: ShownError | undefined };
          start(): Promise<void>;
          stop(): Promise<void>;
          subscribe(listener: () => void): () => void;
        };
        policy: { current(): { mode: string; reasons: { text: string; said?: Said | undefined }[] } };
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
  /** Why it is paused or in trouble, for a person; empty where there is nothing to say. */
  reasons: Words[];
  /** What may be done about mining now; absent where this node does not mine. */
  mining?: 'start' | 'stop';
  /** Whether downloads are under way that could be paused. */
  downloading: boolean;
}

const UNDER_WAY = ['waiting', 'downloading'];

/** How the node is. @param failure why there is none, where it could not be opened */
export function glanceAt(node: ShownNode | undefined, failure?: Words): NodeGlance {
  if (failure !== undefined) return { state: 'trouble', reasons: [failure], downloading: false };
  if (!node) return { state: 'starting', reasons: [], downloading: false };
  return { ...stateOf(node), mining: miningStep(node), downloading: isDownloading(node) };
}

function stateOf({ engine: place, mining }: ShownNode): Pick<NodeGlance, 'state' | 'reasons'> {
  const engine = place?.slot.status();
  if (engine?.state === 'broken') return trouble(engine.error);
  const { state, error } = mining?.switch.view() ?? { state: 'stopped' };
  if (error) return trouble(error);
  if (state !== 'running') return { state: state === 'starting' ? 'starting' : 'stopped', reasons: [] };
  const { mode, reasons } = mining?.policy.current() ?? { mode: 'full', reasons: [] };
  if (mode === 'paused') return { state: 'paused', reasons: reasons.map((reason) => wordsOf(reason, 'text')) };
  return { state: 'mining', reasons: [] };
}

function trouble(error: ShownError | undefined): Pick<NodeGlance, 'state' | 'reasons'> {
  return { state: 'trouble', reasons: error ? [wordsOf(error, 'message')] : [] };
}

function miningStep({ mining }: ShownNode): NodeGlance['mining'] {
  const state = mining?.switch.view().state;
  if (state === undefined) return undefined;
  return state === 'running' || state === 'starting' ? 'stop' : 'start';
}

function isDownloading({ models }: ShownNode): boolean {
  return models.downloads.list().some(({ state }) => UNDER_WAY.includes(state));
}
