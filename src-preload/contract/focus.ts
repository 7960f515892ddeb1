import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { boundedArray } from './bounded.ts';
import {
  LONGEST_RECORDING_MS,
  MAX_BOXES,
  MAX_SPANS,
  MAX_TASK_DESCRIPTION_CHARS,
  MAX_TASK_TITLE_CHARS,
  MOST_BARS,
  MOST_COUNTED,
  MOTION_BLOCKS,
} from './focus-limits.ts';
import { recordedTaskSchema, TASK_KINDS, taskChoiceSchema } from './focus-task-kinds.ts';
import { saidSchema } from './saying-schema.ts';

const MAX_MOTION = MOTION_BLOCKS.columns * MOTION_BLOCKS.rows;

export const recordingId = z.string().regex(/^[0-9a-f-]{36}$/);
const title = z.string().trim().min(1).max(MAX_TASK_TITLE_CHARS);
const description = z.string().trim().max(MAX_TASK_DESCRIPTION_CHARS);
const share = z.number().min(0).max(1);
const side = z.int().min(16).max(16_384);

/** What is recorded: a whole screen, one window, or a page of the browser. */
export const SURFACES = ['screen', 'window', 'tab'] as const;
export const surfaceSchema = z.enum(SURFACES);
export type Surface = z.infer<typeof surfaceSchema>;

/**
 * `recording`: its page hands over chunks. `interrupted`: the page or the node ended amid it; it can go on, or be kept as it is. `draft`: at its end, and
 * nobody but this computer has seen it. What follows is what it is worth: `waiting` for a person, and only what is `ready` can be offered.
 */
export const RECORDING_STATES = [
  'recording',
  'interrupted',
  'draft',
  'scoring',
  'waiting',
  'ready',
  'rejected',
  'offered',
  'sold',
] as const;
export type RecordingState = (typeof RECORDING_STATES)[number];

/** Why a recording came to its end. */
export const RECORDING_ENDS = ['finished', 'longest', 'budget', 'disk'] as const;
export type RecordingEnd = (typeof RECORDING_ENDS)[number];

export const soundSchema = z.object({ microphone: z.boolean(), system: z.boolean() });

/** Of a page that records, made up by it: of the same one as long as it is open. */
const pageId = z.string().max(64).optional();

export const beginRecordingSchema = z.object({
  title,
  description,
  surface: surfaceSchema,
  sound: soundSchema,
  width: side,
  height: side,
  /** Of a list; absent for one’s own. Title and description of one whose words are fixed take the place of these. */
  task: taskChoiceSchema.optional(),
  page: pageId,
});
export type BeginRecording = z.infer<typeof beginRecordingSchema>;

export const recordingSchema = z.object({
  id: recordingId,
  title: z.string(),
  description: z.string(),
  state: z.enum(RECORDING_STATES),
  surface: surfaceSchema,
  sound: soundSchema,
  width: z.number(),
  height: z.number(),
  /** Unix milliseconds; the end is null while it has none. */
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  ended: z.enum(RECORDING_ENDS).nullable(),
  /** Milliseconds without the pauses. */
  activeMs: z.number(),
  bytes: z.number(),
  /** Absent where it was typed. */
  task: recordedTaskSchema.optional(),
});
export type Recording = z.infer<typeof recordingSchema>;

/** What the one who records needs to hand over chunks: where to go on, and the key of that road, which is good for this recording alone. */
export const recordingGrantSchema = z.object({
  id: recordingId,
  token: z.string(),
  /** A part is one stream of the recorder; it begins at chunk 0. */
  part: z.number(),
  nextChunk: z.number(),
  activeMs: z.number(),
});
export type RecordingGrant = z.infer<typeof recordingGrantSchema>;

/** What was done in the time of one chunk. Null where this computer does not tell. */
export const chunkActivitySchema = z.object({
  /** Milliseconds of the recording without pauses, at the end of the chunk. */
  activeMs: z
    .int()
    .min(0)
    .max(LONGEST_RECORDING_MS + 60_000),
  /** Blocks of the picture that changed, of {@link MOTION_BLOCKS}. */
  motion: z.int().min(0).max(MAX_MOTION),
  /** How often a key was pressed, the mouse pressed, and moved; never which. */
  keys: z.int().min(0).max(MOST_COUNTED.keys).nullable(),
  clicks: z.int().min(0).max(MOST_COUNTED.clicks).nullable(),
  moves: z.int().min(0).max(MOST_COUNTED.moves).nullable(),
  /** What the picture looked like at its end, roughly: 64 bits, of which few differ between a picture and the same one encoded again. */
  picture: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .nullable()
    .default(null),
});
export type ChunkActivity = z.infer<typeof chunkActivitySchema>;

/** What a chunk’s road answers. */
export interface Taken {
  nextChunk: number;
  /** The recording has come to its end: nothing more is taken. */
  ended: RecordingEnd | null;
}

/** One second of a recording, as it is drawn and judged. */
export const activitySecondSchema = chunkActivitySchema.extend({
  /** When the node got it, Unix milliseconds. */
  at: z.number(),
  /** Milliseconds since somebody last used this computer; null where it does not tell. */
  idleMs: z.number().nullable(),
});
export type ActivitySecond = z.infer<typeof activitySecondSchema>;

/** Whether all that was recorded is there as it was signed. */
export const chainCheckSchema = z.object({
  chunks: z.number(),
  /** Number of the first chunk that is not as it was signed; null where all are. */
  brokenAt: z.number().nullable(),
  /** Whose key signed it, 64 hex, where that is not the key that this node has now. */
  otherSigner: z.string().nullable(),
});
export type ChainCheck = z.infer<typeof chainCheckSchema>;

/** What the rules on this computer say of a recording: see subnets/omega. */
export const RULE_OUTCOMES = ['passed', 'failed', 'unknown'] as const;
export const rulesScoreSchema = z.object({
  /** Of the rules: scores of different ones are not compared. */
  version: z.string(),
  /** 0 to 1: the share of its seconds in which somebody was at work; 0 where a rule was broken. */
  score: z.number(),
  findings: z.array(z.object({ rule: z.string(), outcome: z.enum(RULE_OUTCOMES), text: z.string(), said: saidSchema })),
});
export type RulesScoreView = z.infer<typeof rulesScoreSchema>;

/** What recordings take, and may. */
export const focusRoomSchema = z.object({
  count: z.number(),
  bytes: z.number(),
  budgetBytes: z.number(),
});
export type FocusRoom = z.infer<typeof focusRoomSchema>;

export const focusStateSchema = z.object({
  /** What is being recorded. */
  live: z.object({ recording: recordingSchema, paused: z.boolean() }).nullable(),
  /** Recordings that ended amid it. */
  interrupted: z.array(recordingSchema),
  room: focusRoomSchema,
});
export type FocusState = z.infer<typeof focusStateSchema>;

/** A piece of a video, milliseconds from its beginning. */
export const spanSchema = z.object({ fromMs: z.int().min(0), toMs: z.int().min(1) });
export type Span = z.infer<typeof spanSchema>;

/** Of a picture, with what adding shares may be off. */
const EDGE = 1 + 1e-9;
/** An area that is black for some time: times of the whole video, the area in fractions of the picture from its upper left corner. */
export const boxSchema = z
  .object({ fromMs: z.int().min(0), toMs: z.int().min(1), x: share, y: share, width: share, height: share })
  .refine(({ fromMs, toMs, width, height }) => fromMs < toMs && width > 0 && height > 0, 'a box has a time and a size')
  .refine(({ x, y, width, height }) => x + width <= EDGE && y + height <= EDGE, 'a box lies within the picture');
export type Box = z.infer<typeof boxSchema>;

/** What a video is written as. Its pictures are VP9 and its sound is Opus in both. */
export const CONTAINERS = ['webm', 'mp4'] as const;
export type Container = (typeof CONTAINERS)[number];

/** How far a video is, from 0 to 1; with 1 it is there. */
export const prepareStepSchema = z.object({ done: z.number() });
export type PrepareStep = z.infer<typeof prepareStepSchema>;

/** Who has it may fetch a video, from this node and without a login. */
export const videoTicketSchema = z.object({
  /** On the node’s own address. */
  path: z.string(),
  /** Unix milliseconds. */
  expiresAt: z.number(),
});
export type VideoTicket = z.infer<typeof videoTicketSchema>;

/** Small pictures of a video in one JPEG, which is fetched like the video: rows of so many, each so large, from left to right and from top to bottom. */
export const videoStripSchema = videoTicketSchema.extend({
  columns: z.number(),
  width: z.number(),
  height: z.number(),
  /** When each is shown, milliseconds. */
  times: z.array(z.number()),
});
export type VideoStrip = z.infer<typeof videoStripSchema>;

/** How far small pictures are, from 0 to 1, until they are there. */
export const stripStepSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('progress'), done: z.number() }),
  z.object({ type: z.literal('done'), strip: videoStripSchema }),
]);
export type StripStep = z.infer<typeof stripStepSchema>;

export const exportRecordingSchema = z.object({
  id: recordingId,
  /** Pieces that are kept, ascending and apart from each other. Default: all. */
  spans: boundedArray(spanSchema, MAX_SPANS, 1).refine(areInOrder, 'pieces follow on each other').optional(),
  /** Without any sound. */
  mute: z.boolean().default(false),
  /** Areas that are made black, on every picture that is shown while they are. Default: none. */
  boxes: boundedArray(boxSchema, MAX_BOXES).default([]),
  container: z.enum(CONTAINERS).default('webm'),
  /** Whether title, description and date are in the file, too. */
  metadata: z.boolean().default(true),
});
export type ExportRecording = z.infer<typeof exportRecordingSchema>;

export const exportStepSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('progress'), done: z.number() }),
  z.object({
    type: z.literal('done'),
    /** On the node’s computer: it goes away when the stream is left, after ten minutes, or when four newer ones wait. */
    path: z.string(),
    /** The same for a browser, on the node’s own address. */
    download: z.string(),
    bytes: z.number(),
    durationMs: z.number(),
    hasSound: z.boolean(),
    /** What is in it of the recording: a piece begins with the first picture at or after its start, and nothing of what was left out is there. */
    kept: z.array(spanSchema),
  }),
]);
export type ExportStep = z.infer<typeof exportStepSchema>;

/** A screen or a window that the desktop app can record. */
export const captureSourceSchema = z.object({
  id: z.string(),
  /** The title of a window; of a screen what the system calls it. */
  name: z.string(),
  kind: z.enum(['screen', 'window']),
  /** The address of a small image that holds what it looks like; empty where there is none. */
  picture: z.string(),
});
export type CaptureSourceView = z.infer<typeof captureSourceSchema>;

/** What somebody wants of the page that records. `panic`: what came last is not to be kept, and it pauses. */
export const RECORDING_COMMANDS = ['pause', 'resume', 'panic', 'finish'] as const;
export const recordingCommandSchema = z.object({ command: z.enum(RECORDING_COMMANDS) });
export type RecordingCommand = z.infer<typeof recordingCommandSchema>;

/** Who is there while something is recorded, and what is in sight. */
export const presenceSchema = z.object({
  /** Milliseconds since somebody last used the node’s computer; null where it does not tell. */
  idleMs: z.number().nullable(),
  /** After so many milliseconds without anybody a recording pauses; 0 for never. */
  pauseAfterMs: z.number(),
  /** While a screen is recorded: by which word a window that is open must not be; null for none, and where nothing tells. */
  covered: z.string().nullable(),
});
export type Presence = z.infer<typeof presenceSchema>;

const one = z.object({ id: recordingId });

export const focusContract = {
  /** How recording stands, now and whenever that changes. */
  watch: oc.output(eventIterator(focusStateSchema)),
  /** @throws BAD_REQUEST for a task that is in no list (any more): nothing is recorded then */
  begin: oc.input(beginRecordingSchema).output(recordingGrantSchema),
  /**
   * Goes on with one that was interrupted, in the same stream or in a new part; or with a new part after seconds were forgotten.
   * @throws BAD_REQUEST while another page is heard of that records it
   */
  goOn: oc.input(one.extend({ newPart: z.boolean(), page: pageId })).output(recordingGrantSchema),
  setPaused: oc.input(one.extend({ paused: z.boolean() })).output(z.void()),
  /** Takes the last seconds away for good. The recorder begins a new part after that. */
  forgetLast: oc
    .input(one.extend({ seconds: z.int().min(1).max(600) }))
    .output(z.object({ forgottenMs: z.number(), grant: recordingGrantSchema })),
  /** Ends it, also one that was interrupted. */
  finish: oc.input(one).output(recordingSchema),
  /** Newest first. @param text in title or description */
  list: oc
    .input(
      z.object({
        text: z.string().max(200).default(''),
        before: z.number().optional(),
        limit: z.int().min(1).max(200).default(50),
        /** Whose task is of this kind. Default: all. */
        kind: z.enum(TASK_KINDS).optional(),
        state: z.enum(RECORDING_STATES).optional(),
      }),
    )
    .output(z.object({ recordings: z.array(recordingSchema), more: z.boolean() })),
  get: oc.input(one).output(recordingSchema),
  update: oc
    .input(one.extend({ title: title.optional(), description: description.optional() }))
    .output(recordingSchema),
  /** Deletes every trace of them. */
  remove: oc.input(z.object({ ids: boundedArray(recordingId, 200, 1) })).output(z.void()),
  /** Every second: 0.7 MB for the longest. What is drawn of it, `motion` has. */
  activity: oc.input(one).output(z.array(activitySecondSchema)),
  /** How many blocks of the picture changed at most in each of so many stretches of it, or fewer: see `most-moved.ts`. */
  motion: oc.input(one.extend({ bars: z.int().min(1).max(MOST_BARS) })).output(z.array(z.number())),
  /** Reads all of it. */
  check: oc.input(one).output(chainCheckSchema),
  /** Reads all of it. */
  score: oc.input(one).output(rulesScoreSchema),
  /** Makes the video of one that is not being recorded, unless it is there. */
  prepare: oc.input(one).output(eventIterator(prepareStepSchema)),
  /** A way to a video that was prepared. */
  view: oc.input(one).output(videoTicketSchema),
  /** Writes its video, or pieces of it, to a file for whoever asked to take. */
  export: oc.input(exportRecordingSchema).output(eventIterator(exportStepSchema)),
  /** What can be recorded in the app’s own window, with pictures. @throws NOT_RUNNING elsewhere: the browser asks there */
  sources: oc.output(
    z.object({
      sources: z.array(captureSourceSchema),
      /** Windows that are not offered, because they are never recorded. */
      hidden: z.number(),
    }),
  ),
  /** What the page gets when it asks within the next seconds; once. @throws BAD_REQUEST for what was not among the last sources */
  choose: oc.input(z.object({ id: z.string().max(100) })).output(z.void()),
  /** What is wanted of the page that records, from outside of it, from now on. */
  commands: oc.output(eventIterator(recordingCommandSchema)),
  /** A way to small pictures of a video that was prepared; they are made when they are first asked for. */
  strip: oc.input(one).output(eventIterator(stripStepSchema)),
  /** Where something else begins to be on the screen, milliseconds, ascending: at most 20, the first is 0. Of a video that was prepared. */
  chapters: oc.input(one).output(z.object({ atMs: z.array(z.number()) })),
  presence: oc.output(presenceSchema),
  /** By which word what has such a label must not be recorded; null where it may. */
  excluded: oc.input(z.object({ label: z.string().max(2_000) })).output(z.object({ by: z.string().nullable() })),
  /** Those whose id begins like that, of all that there are: at most two, which are too many to be the one that is meant. */
  find: oc.input(z.object({ beginning: z.string().regex(/^[0-9a-f-]{1,36}$/) })).output(z.array(recordingSchema)),
};

function areInOrder(spans: readonly Span[]): boolean {
  return spans.every(({ fromMs, toMs }, index) => fromMs < toMs && fromMs >= (spans[index - 1]?.toMs ?? 0));
}
