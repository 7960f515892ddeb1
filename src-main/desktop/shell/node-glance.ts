import type { FocusState, Recording, RecordingCommand } from '../../../src-preload/contract/focus.ts';
import { type Words, wordsOf } from '../../../src-preload/contract/saying.ts';
import type { NodeReading } from '../../app/node/reading.ts';
import type { MeshWork } from '../../mining/mesh-work.ts';
import type { Downloads } from '../../models/downloads/downloads.ts';

/** As much of a node as is shown and done outside the window. */
export interface ShownNode {
  readonly node: { read(): Pick<NodeReading, 'engine' | 'mining' | 'policy'> };
  readonly mining:
    | {
        switch: {
          start(): Promise<void>;
          stop(): Promise<void>;
          subscribe(listener: () => void): () => void;
        };
        work: Pick<MeshWork, 'on' | 'off'>;
      }
    | undefined;
  readonly models: { downloads: Pick<Downloads, 'list' | 'watch' | 'pause'> };
  readonly focus: {
    recorder: {
      readonly live:
        | (Pick<NonNullable<FocusState['live']>, 'paused'> & { recording: Pick<Recording, 'title' | 'activeMs'> })
        | null;
    };
    commands: { send(command: RecordingCommand): void };
  };
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
  /** What is recorded of the screen, in whole minutes without pauses; absent where nothing is. */
  recording?: { title: string; minutes: number; paused: boolean };
}

const MINUTE_MS = 60_000;
const UNDER_WAY = ['waiting', 'downloading'];

/** How the node is. @param failure why there is none, where it could not be opened */
export function glanceAt(node: ShownNode | undefined, failure?: Words): NodeGlance {
  if (failure !== undefined) return { state: 'trouble', reasons: [failure], downloading: false };
  if (!node) return { state: 'starting', reasons: [], downloading: false };
  const reading = node.node.read();
  return { ...stateOf(reading), mining: miningStep(reading), downloading: isDownloading(node), ...recordingOf(node) };
}

type Read = ReturnType<ShownNode['node']['read']>;

function stateOf({ engine, mining, policy }: Read): Pick<NodeGlance, 'state' | 'reasons'> {
  if (engine.state === 'broken') {
    const { error, said } = engine;
    return { state: 'trouble', reasons: error === undefined ? [] : [wordsOf({ error, said }, 'error')] };
  }
  const { state, error } = mining ?? { state: 'stopped' };
  if (error) return { state: 'trouble', reasons: [wordsOf(error, 'message')] };
  if (state !== 'running') return { state: state === 'starting' ? 'starting' : 'stopped', reasons: [] };
  if (policy?.mode !== 'paused') return { state: 'mining', reasons: [] };
  return { state: 'paused', reasons: policy.reasons.map((reason) => wordsOf(reason, 'text')) };
}

function miningStep({ mining }: Read): NodeGlance['mining'] {
  const state = mining?.state;
  if (state === undefined) return undefined;
  return state === 'running' || state === 'starting' ? 'stop' : 'start';
}

function recordingOf({ focus }: ShownNode): Pick<NodeGlance, 'recording'> {
  const { live } = focus.recorder;
  if (!live) return {};
  const { title, activeMs } = live.recording;
  return { recording: { title, minutes: Math.floor(activeMs / MINUTE_MS), paused: live.paused } };
}

function isDownloading({ models }: ShownNode): boolean {
  return models.downloads.list().some(({ state }) => UNDER_WAY.includes(state));
}
