import { type Saying, say } from '../../../../../src-preload/contract/saying.ts';
import type { Track } from './verdict.ts';

/** Why a validator does not hold a track: no container engine that answers, not the image that it judges in, no graphics card that containers can use. */
export const CLOSED = ['no-engine', 'no-image', 'no-card'] as const;
export type Closed = (typeof CLOSED)[number];
/** Tracks that are not held, with the reason. */
export type ClosedTracks = Partial<Record<Track, Closed | undefined>>;

const WORDS = {
  'no-engine': 'competition.closed.noEngine',
  'no-image': 'competition.closed.noImage',
  'no-card': 'competition.closed.noCard',
} as const satisfies Record<Closed, string>;

export const closedWords = (closed: Closed): Saying => say(WORDS[closed]);
