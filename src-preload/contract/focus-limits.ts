import type { RecordingState } from './focus.ts';

/** Un-paused time that a recording may have: shorter is no work, longer is two (OMEGA, B11). Milliseconds. */
export const SHORTEST_RECORDING_MS = 60_000;
export const LONGEST_RECORDING_MS = 90 * 60_000;
/** The page hands over what it has recorded so often; so much is lost at most when it dies. */
export const CHUNK_MS = 1_000;
/** Of one chunk: a second of the largest screens at their busiest has a tenth of that. */
export const MAX_CHUNK_BYTES = 8 * 1024 * 1024;
/** Chunks of one recording: pauses and forgotten seconds make some of them shorter. */
export const MAX_CHUNKS = 12_000;
export const MAX_PARTS = 200;
/** Pieces that a video may be cut into at once. */
export const MAX_SPANS = 200;
/** Areas that may be covered in one video. */
export const MAX_BOXES = 200;
/** Single pictures that are taken of a video at once, how wide each is, and their bytes together. */
export const MAX_STILLS = 96;
export const MAX_STILL_SIDE = 1_280;
export const MAX_STILLS_BYTES = 32 * 1024 * 1024;
/** Where videos are fetched, by a ticket: `/focus/video/<ticket>`, and small pictures of them: `/focus/video/<ticket>/strip.jpg`. */
export const FOCUS_VIDEO_PATH = '/focus/video';
export const STRIP_NAME = 'strip.jpg';
/** Where chunks are handed over, as bytes: the contract’s own messages are JSON, and small. The header has the grant’s token. */
export const CHUNK_PATH = '/focus/chunks';
export const CHUNK_KEY_HEADER = 'x-quarry-recording';
export const MAX_TASK_TITLE_CHARS = 120;
export const MAX_TASK_DESCRIPTION_CHARS = 2_000;
/** How finely motion is looked at: so many blocks across and down. */
export const MOTION_BLOCKS = { columns: 64, rows: 36 };
/** Counted in one chunk at most: nobody does more in a second. */
export const MOST_COUNTED = { keys: 1_000, clicks: 1_000, moves: 10_000 };
/** Of what an owner says against a score. */
export const MAX_APPEAL_CHARS = 1_000;
/** More than has gone by since a recording began may be shown by so much, milliseconds: clocks of two programs do not run quite alike. */
export const CLOCK_SLACK_MS = 5_000;
/** How finely what moved in a recording is told. */
export const MOST_BARS = 1_000;
/** Of why a person refuses a video at a market. */
export const MAX_JUDGED_CHARS = 500;
/** Somebody has judged recordings in these states, so that the score may be wrong. */
export const APPEALABLE: readonly RecordingState[] = ['waiting', 'ready', 'rejected'];
