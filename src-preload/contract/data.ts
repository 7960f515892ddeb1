import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import {
  MAX_ATTRIBUTION_CHARS,
  MAX_CLIP_DESCRIPTION_CHARS,
  MAX_DATA_PAGE,
  MAX_DATA_TITLE_CHARS,
  MAX_ENQUEUED,
  MAX_MINED,
  MAX_TOPIC_CHARS,
  MAX_VIDEO_ID_CHARS,
  MAX_WORDS_CHARS,
  MOST_CLIPS,
  USUAL_MINED,
} from './data-limits.ts';
import {
  ABILITIES,
  DEEP_CHECKS,
  DESCRIBERS,
  JOB_STATES,
  LICENCES,
  SOURCE_KINDS,
  SUBMISSION_KINDS,
  SUBMISSION_ROLES,
} from './data-names.ts';
import { hexPattern } from './limits.ts';
import { sentenceSchema } from './saying-schema.ts';

const topic = z.string().trim().min(1).max(MAX_TOPIC_CHARS);
const source = z.enum(SOURCE_KINDS);
const licence = z.enum(LICENCES);
/** 32 hex. */
export const clipIdSchema = z.string().regex(hexPattern(16));
/** Where the next page begins, in the words of whoever gave it out. */
const cursor = z.string().min(1).max(2_000);
const rows = z.int().min(1).max(MAX_DATA_PAGE);

/** A video by its source, which alone knows what the id means: `commons` and `File:Ball.webm`. */
export const videoRefSchema = z.object({ source, id: z.string().min(1).max(MAX_VIDEO_ID_CHARS) });
export type VideoRef = z.infer<typeof videoRefSchema>;

/** Who made something, under what it may be used, and where it is found: what every row keeps. */
export const provenanceSchema = z.object({
  licence,
  /** Of the licence's own words. */
  licenceUrl: z.string().max(2_000).nullable(),
  author: z.string().max(MAX_ATTRIBUTION_CHARS).nullable(),
  /** As whoever uses it has to name it: title, author, source and licence. */
  attribution: z.string().max(MAX_ATTRIBUTION_CHARS),
  /** The page on which it is found; null for own files. */
  page: z.string().max(2_000).nullable(),
});
export type Provenance = z.infer<typeof provenanceSchema>;

export const foundVideoSchema = videoRefSchema.extend({
  title: z.string().max(MAX_DATA_TITLE_CHARS),
  description: z.string().max(MAX_CLIP_DESCRIPTION_CHARS),
  ...provenanceSchema.shape,
  /** Null where the source does not say. */
  seconds: z.number().nullable(),
  bytes: z.number().nullable(),
});
export type FoundVideo = z.infer<typeof foundVideoSchema>;

/** What was found, and what this node has to do with it. */
export const searchHitSchema = foundVideoSchema.extend({
  /** Why no clip may be made of it; null where one may. */
  unusable: sentenceSchema.nullable(),
  /** Whether it is in the queue or in the library already. */
  isKnown: z.boolean(),
});
export type SearchHit = z.infer<typeof searchHitSchema>;

export const dataSourceSchema = z.object({
  kind: source,
  /** Whether the settings let it be asked. */
  isOn: z.boolean(),
  /** Why it cannot be asked as things are; null where it can. */
  lacks: sentenceSchema.nullable(),
  /** What whoever uses it agrees to; null where there is nothing to say. */
  terms: sentenceSchema.nullable(),
  /** What it was last asked, Unix milliseconds, and how that went. */
  askedAt: z.number().nullable(),
  fault: sentenceSchema.nullable(),
});
export type DataSource = z.infer<typeof dataSourceSchema>;

export const jobSchema = videoRefSchema.extend({
  number: z.number(),
  title: z.string(),
  topic: z.string(),
  state: z.enum(JOB_STATES),
  /** How far its present step is, 0 to 1; null where that is not known. */
  done: z.number().nullable(),
  /** While it is fetched: bytes that are here, and how many there will be, null where its source does not say. */
  fetched: z.object({ bytes: z.number(), of: z.number().nullable() }).nullable(),
  /** Clips that came of it so far. */
  clips: z.number(),
  /** Why it is as it is; null where there is nothing to say. */
  reason: sentenceSchema.nullable(),
  createdAt: z.number(),
  changedAt: z.number(),
});
export type DataJob = z.infer<typeof jobSchema>;

/** What one clip is worth for a topic, and by what (see docs/data.md). */
export const clipScoreSchema = z.object({
  /** What it adds to a submission's score; 0 where it does not count. */
  worth: z.number(),
  /** Why it does not count; null where it does. */
  uncounted: sentenceSchema.nullable(),
  descriptionRelevance: z.number().nullable(),
  topicRelevance: z.number().nullable(),
  /** By the length of the description, 0.65 to 1. */
  detail: z.number().nullable(),
  /** 1 − the cosine of the nearest other clip; null where none was looked for. */
  novelty: z.number().nullable(),
  uniqueTokens: z.number(),
  check: z.enum(DEEP_CHECKS),
});
export type ClipScore = z.infer<typeof clipScoreSchema>;

export const clipSchema = videoRefSchema.extend({
  clip: clipIdSchema,
  title: z.string(),
  topic: z.string(),
  /** In its video, seconds. */
  from: z.number(),
  to: z.number(),
  description: z.string(),
  describedBy: z.enum(DESCRIBERS),
  /** The model that wrote it; null where none did, or nobody noted which. */
  describedWith: z.string().nullable(),
  /** What is said in it; null where nothing is, or nobody listened. */
  words: z.string().max(MAX_WORDS_CHARS).nullable(),
  /** How many speak; null where nobody listened. */
  speakers: z.number().nullable(),
  hasSound: z.boolean(),
  ...provenanceSchema.shape,
  bytes: z.number(),
  sha256: z.string(),
  width: z.number(),
  height: z.number(),
  /** The models by which it is numbers; null where there are none yet. */
  space: z.string().nullable(),
  createdAt: z.number(),
  /** For its own topic; null until it has been scored. */
  score: clipScoreSchema.nullable(),
  /** Whether it is on the list of what was taken down: it goes into no data set and no submission. */
  isTakenDown: z.boolean(),
  /** How close to what was asked for, a cosine; null where nothing was. */
  closeness: z.number().nullable(),
});
export type Clip = z.infer<typeof clipSchema>;

export const submissionSchema = z.object({
  number: z.number(),
  role: z.enum(SUBMISSION_ROLES),
  kind: z.enum(SUBMISSION_KINDS),
  at: z.number(),
  /** Whoever asked, or was asked: ss58 of a hotkey, or a node's id. */
  with: z.string(),
  topic: z.string(),
  /** As this node reckons it, also of what it has handed in; null where it did not. */
  score: z.number().nullable(),
  /** Why it is that. */
  reason: sentenceSchema.nullable(),
  clips: z.array(
    z.object({
      ...videoRefSchema.shape,
      /** Null for one that is not in this node's library. */
      clip: clipIdSchema.nullable(),
      from: z.number(),
      to: z.number(),
      description: z.string(),
      score: clipScoreSchema.nullable(),
    }),
  ),
});
export type Submission = z.infer<typeof submissionSchema>;

export const abilitySchema = z.object({
  ability: z.enum(ABILITIES),
  isReady: z.boolean(),
  /** What does it: a model's name with its licence, or a program. */
  by: z.string().nullable(),
  /** What is lost without it, and what to do; null where it is ready. */
  lost: sentenceSchema.nullable(),
  hint: sentenceSchema.nullable(),
});
export type DataAbility = z.infer<typeof abilitySchema>;

export const dataStateSchema = z.object({
  /** Whether it looks for clips. `ending`: what is being done is finished. */
  mining: z.enum(['off', 'searching', 'working', 'resting', 'ending']),
  /** What it looks for, and how many clips of it were made so far; null where it was never told. */
  order: z.object({ topic: z.string(), sources: z.array(source), most: z.number(), made: z.number() }).nullable(),
  /** What keeps it from going on; null where nothing does. */
  fault: sentenceSchema.nullable(),
  jobs: z.record(z.enum(JOB_STATES), z.number()),
  /** Those that are worked on. */
  now: z.array(jobSchema),
  clips: z.number(),
  /** Another one whenever a list of clips may look different: one was made, scored, described or removed. */
  clipsVersion: z.number(),
  bytes: z.number(),
  /** How far the library was looked through for clips to be reckoned or scored anew, 0 to 1; null while there are none, or it rests. */
  reckoning: z.number().nullable(),
  diskBudget: z.number(),
  /** By which models clips become numbers now; null without any. */
  space: z.string().nullable(),
  abilities: z.array(abilitySchema),
});
export type DataState = z.infer<typeof dataStateSchema>;

const clipFilter = z.object({
  /** Words that stand in title, description or what is said. */
  text: z.string().trim().max(MAX_TOPIC_CHARS).optional(),
  /** About what, in words: by meaning, nearest first. */
  about: topic.optional(),
  /** Nearest to this clip first. */
  like: clipIdSchema.optional(),
  source: source.optional(),
  licence: licence.optional(),
  describedBy: z.enum(DESCRIBERS).optional(),
  topic: topic.optional(),
  isTakenDown: z.boolean().optional(),
  cursor: cursor.optional(),
  rows: rows.default(30),
});
export type ClipFilter = z.input<typeof clipFilter>;

/** Who has handed in what, to this node. */
export const minerOfClipsSchema = z.object({
  miner: z.string(),
  submissions: z.number(),
  clips: z.number(),
  meanScore: z.number(),
  meanDescriptionRelevance: z.number().nullable(),
  meanTopicRelevance: z.number().nullable(),
  meanNovelty: z.number().nullable(),
  lies: z.number(),
  lastAt: z.number(),
});
export type MinerOfClips = z.infer<typeof minerOfClipsSchema>;

/** Clips with descriptions: found, cut, described, scored and handed in. */
export const dataContract = {
  /** How finding goes, and what there is. */
  state: oc.output(eventIterator(dataStateSchema)),
  sources: oc.output(z.array(dataSourceSchema)),
  /** Asks one source. */
  search: oc
    .input(z.object({ source, topic, cursor: cursor.optional() }))
    .output(z.object({ found: z.array(searchHitSchema), next: cursor.nullable() })),
  /** Has clips made of videos; those that are known, or may not be used, are left out. */
  enqueue: oc
    .input(z.object({ videos: z.array(videoRefSchema).min(1).max(MAX_ENQUEUED), topic }))
    .output(z.object({ added: z.number(), known: z.number(), unusable: z.number() })),
  /** Looks for clips of a topic until there are so many, over restarts. */
  mine: oc
    .input(
      z.object({
        topic,
        sources: z.array(source).min(1).optional(),
        most: z.int().min(1).max(MAX_MINED).default(USUAL_MINED),
      }),
    )
    .output(z.void()),
  /** Ends that; what waits stays in the queue. */
  stop: oc.output(z.void()),
  /** Goes on with what is in the queue. */
  resume: oc.output(z.void()),
  /** Newest first. */
  jobs: oc
    .input(
      z.object({ state: z.enum(JOB_STATES).optional(), before: z.int().min(1).optional(), rows: rows.default(50) }),
    )
    .output(z.object({ jobs: z.array(jobSchema), next: z.number().nullable() })),
  /** One that has failed is tried again; without a number, all that have. */
  retry: oc.input(z.object({ number: z.int().min(1).optional() })).output(z.object({ retried: z.number() })),
  /** Takes one out of the queue, with what was fetched of it. */
  cancel: oc.input(z.object({ number: z.int().min(1) })).output(z.void()),
  clips: oc
    .input(clipFilter)
    .output(z.object({ clips: z.array(clipSchema), next: cursor.nullable(), total: z.number().nullable() })),
  clip: oc.input(z.object({ clip: clipIdSchema })).output(clipSchema),
  /** In the user's own words; its vectors and its score are reckoned anew. */
  describe: oc
    .input(z.object({ clip: clipIdSchema, description: z.string().trim().min(1).max(MAX_CLIP_DESCRIPTION_CHARS) }))
    .output(clipSchema),
  removeClip: oc.input(z.object({ clip: clipIdSchema })).output(z.void()),
  /** Where it can be played for an hour, and its picture: a path of this node. */
  play: oc.input(z.object({ clip: clipIdSchema })).output(z.object({ video: z.string(), poster: z.string() })),
  /** What clips would be worth as one submission. */
  score: oc
    .input(z.object({ topic, clips: z.array(clipIdSchema).min(1).max(MOST_CLIPS) }))
    .output(submissionSchema.pick({ topic: true, score: true, reason: true, clips: true })),
  /** Newest first. */
  submissions: oc
    .input(
      z.object({
        role: z.enum(SUBMISSION_ROLES).optional(),
        before: z.int().min(1).optional(),
        rows: rows.default(30),
      }),
    )
    .output(z.object({ submissions: z.array(submissionSchema), next: z.number().nullable() })),
  /** Best first. */
  miners: oc.output(z.array(minerOfClipsSchema)),
};
