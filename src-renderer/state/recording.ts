import { create } from 'zustand';
import type { RecordingEnd, Surface } from '../../src-preload/contract/focus.ts';

/** One second of what is being recorded. */
export interface RecordedSecond {
  /** Milliseconds of the recording at its end, without pauses. */
  activeMs: number;
  /** Blocks of the picture that changed. */
  motion: number;
  /** Whether keys or mouse were used, as far as the page sees. */
  used: boolean;
}

/**
 * Why a recording stands still, the one first that is told. `covered`: a window is in sight that is never recorded. `idle`: nobody does anything. `full`: what
 * the node did not take has no more room.
 */
export const HOLDS = ['paused', 'covered', 'idle', 'full'] as const;
export type Hold = (typeof HOLDS)[number];

/** What this page records, as it stands. */
export interface RecordingView {
  /** `choosing`: somebody is asked what. `countdown`: it is about to begin. */
  phase: 'choosing' | 'countdown' | 'recording' | Hold | 'forgetting' | 'finishing';
  /** Absent before it has begun. */
  id?: string;
  title: string;
  sound: { microphone: boolean; system: boolean };
  /** Absent while it is chosen. */
  surface?: Surface;
  /** Whether it is told how keys and mouse are used in it: of other programs no page knows. Absent while it is chosen. */
  isCounted?: boolean;
  /** What is seen of it. Absent while it is chosen. */
  stream?: MediaStream;
  /** Of the countdown. */
  secondsToGo: number;
  activeMs: number;
  bytes: number;
  seconds: readonly RecordedSecond[];
  /** Bytes that the node does not have yet, and whether it is out of reach. */
  waitingBytes: number;
  isAway: boolean;
  /** The node is there again, and gets what waited for it. */
  isBehind: boolean;
  /** Milliseconds that were forgotten just now, until it goes on. */
  forgottenMs?: number | undefined;
  /** A sound that ended before the picture did. */
  lost?: 'microphone' | 'system';
  /** By which word a window is in sight that is never recorded. */
  coveredBy?: string | undefined;
  /** In the app’s own window, while it is chosen what to record: takes the choice; without one it is called off. */
  pick?: ((source?: Picked) => void) | undefined;
  /** Absent before it has begun. */
  controls?: RecordingControls;
}

/** A screen or a window that somebody chose. */
export interface Picked {
  id: string;
  kind: 'screen' | 'window';
}

/** What can be done with what is recorded, from wherever in the app: all of it also while the node is away. */
export interface RecordingControls {
  pause(): void;
  resume(): void;
  /** Takes the last minute off the disk, and pauses: what was to be forgotten may be in sight still. */
  forgetLastMinute(): void;
  finish(): void;
}

/** Whether it stands still: nothing of what happens now is recorded. */
export function isHeld(phase: RecordingView['phase']): boolean {
  return phase === 'finishing' || HOLDS.some((hold) => hold === phase);
}

/** Why nothing could be recorded, where it was not the node that said no. */
export type NotRecorded = 'notSupported' | 'noPicture' | 'noMicrophone' | 'excluded';

/** What was recorded last. */
export type SavedRecording = Required<Pick<RecordingView, 'id' | 'title' | 'activeMs'>>;

interface Recordings {
  now: RecordingView | undefined;
  /** What was finished, until somebody has seen that. */
  saved: SavedRecording | undefined;
  /** How the last one ended, where somebody did not finish it by hand. `stopped`: what was recorded is not shared any more. `nothing`: all of it was forgotten. */
  ended: Exclude<RecordingEnd, 'finished'> | 'stopped' | 'nothing' | undefined;
  problem: NotRecorded | undefined;
  /** What the node said, where it could not be recorded or gone on with. */
  error: unknown;
}

/** What this page records. It goes on when another page of the app is opened. */
export const useRecording = create<Recordings>(() => ({
  now: undefined,
  saved: undefined,
  ended: undefined,
  problem: undefined,
  error: undefined,
}));

/** Changes what is told of it; nothing while nothing is recorded. */
export function showRecording(change: Partial<RecordingView>): void {
  useRecording.setState(({ now }) => ({ now: now && { ...now, ...change } }));
}
