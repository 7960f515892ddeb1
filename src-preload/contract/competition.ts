import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { ENTRY_PIECE_BYTES, LEAST_AIM, MOST_AIM, MOST_ENTRY_BYTES } from './competition-numbers.ts';
import { errorSchema } from './error-schema.ts';
import { hexPattern } from './limits.ts';
import { sentenceSchema } from './saying-schema.ts';

/** As the server calls a submission: 32 hex. */
const entryId = z.string().regex(hexPattern(16));
const sha256 = z.string().regex(hexPattern(32));
const round = z.int().min(1).max(0x7fff_ffff);

/** `open`: is committed to and revealed in. `judging`: closed. `ended`: ranked, and its record is signed. */
export const ROUND_STATES = ['open', 'judging', 'ended'] as const;

/**
 * How far an own submission is. `kept`: nothing has left this computer. `sending`: its commitment may have been sent. `refused`: the server did not take it. The others
 * are as the server says: see `SUBMISSION_STATES` there.
 */
export const ENTRY_STATES = [
  'kept',
  'sending',
  'refused',
  'committed',
  'missed',
  'revealed',
  'copied',
  'repeated',
  'wrong',
  'right',
] as const;
export type EntryState = (typeof ENTRY_STATES)[number];

const baseline = z.object({
  track: z.string(),
  league: z.number(),
  sha256: z.string(),
  submission: z.string().nullable(),
});

export const competitionRoundSchema = z.object({
  round: z.number(),
  state: z.enum(ROUND_STATES),
  /** Unix milliseconds. */
  openedAt: z.number(),
  endsAt: z.number(),
  endedAt: z.number().nullable(),
  baselines: z.array(baseline).nullable(),
  /** Those that count in it, by state. */
  submissions: z.record(z.string(), z.number()),
});
export type CompetitionRound = z.infer<typeof competitionRoundSchema>;

/** What can be submitted; of what cannot, why. */
const competitionTracksSchema = z.array(z.object({ track: z.string(), closed: sentenceSchema.nullable() }));

export const openRoundSchema = competitionRoundSchema.extend({
  /** Where it was asked, and ss58 of whoever serves it. */
  url: z.string(),
  server: z.string(),
  block: z.number(),
  /** Of the chain, or of the server’s own clock. */
  clock: z.enum(['chain', 'local']),
  blockMs: z.number(),
  blocksUntilReveal: z.number(),
  /** Who commits later can reveal only in the next round. */
  lastBlockToCommit: z.number(),
  leagues: z.array(z.object({ from: z.number(), multiplier: z.number() })),
  /** Of the pot, in percent. */
  places: z.array(z.number()),
  tracks: competitionTracksSchema,
});
export type OpenRound = z.infer<typeof openRoundSchema>;

/** By what speed something is more than another: the median, with its 95 % interval. */
export const speedRatioSchema = z.object({ median: z.number(), low: z.number(), high: z.number(), pairs: z.number() });
export type SpeedRatio = z.infer<typeof speedRatioSchema>;

export const competitionPlaceSchema = z.object({
  place: z.number(),
  submission: z.string(),
  hotkey: z.string(),
  track: z.string(),
  league: z.number(),
  tokens: z.number(),
  ratio: speedRatioSchema,
  /** The median by the league’s multiplier: what it is ordered by. */
  weighted: z.number(),
  tokensPerSecond: z.number(),
  /** Ten-thousandths. */
  share: z.number(),
  /** Whether it is one of this node’s. */
  isOwn: z.boolean(),
});
export type CompetitionPlace = z.infer<typeof competitionPlaceSchema>;

export const competitionBoardSchema = z.object({
  round: z.number(),
  state: z.enum(ROUND_STATES),
  places: z.array(competitionPlaceSchema),
  /** Ten-thousandths of a round’s own pot. */
  pot: z.number(),
  unclaimed: z.number(),
});
export type CompetitionBoard = z.infer<typeof competitionBoardSchema>;

export const ownEntrySchema = z.object({
  id: entryId,
  state: z.enum(ENTRY_STATES),
  /** Nothing will change any more. */
  isOver: z.boolean(),
  createdAt: z.number(),
  url: z.string(),
  server: z.string(),
  wallet: z.string(),
  hotkeyName: z.string(),
  hotkey: z.string(),
  track: z.string(),
  tokens: z.number(),
  name: z.string(),
  bytes: z.number(),
  sha256: z.string(),
  commitment: z.string(),
  /** The round in the commitment, and the one in which it counts; null while that is not known. */
  round: z.number(),
  countsIn: z.number().nullable(),
  /** While it waits to be revealed: how many blocks that is from now, and about when, Unix milliseconds. */
  reveal: z.object({ block: z.number(), blocksLeft: z.number(), at: z.number() }).nullable(),
  /** What the server has signed of the commitment. */
  receipt: z.object({ number: z.number(), block: z.number(), at: z.number(), signature: z.string() }).nullable(),
  /** What was measured; null where nothing was, or it is wrong. */
  measured: z
    .object({ ratio: speedRatioSchema, tokensPerSecond: z.number(), baselineTokensPerSecond: z.number() })
    .nullable(),
  /** Why it is as it is; null where there is nothing to say. */
  reason: sentenceSchema.nullable(),
  /** What is missing to be counted; nothing where it counts, or never will. */
  missing: z.array(sentenceSchema),
  place: z.number().nullable(),
  /** Ten-thousandths. */
  share: z.number(),
  /** Why it does not go on, or goes on later. */
  error: errorSchema.nullable(),
});
export type OwnEntry = z.infer<typeof ownEntrySchema>;

/** What this node has to do with competitions. */
export const competitionStateSchema = z.object({
  /** What is set; null where nothing is. */
  server: z.string().nullable(),
  wallet: z.string().nullable(),
  hotkey: z.string(),
  /** Whether it reveals by itself, as it is set; and whether a node that stays is there to do so. */
  reveals: z.boolean(),
  stays: z.boolean(),
  /** The newest first. */
  entries: z.array(ownEntrySchema),
});
export type CompetitionState = z.infer<typeof competitionStateSchema>;

/** What would happen, before it does. */
export const entryDraftSchema = z.object({
  entry: ownEntrySchema,
  /** What is published when, and in whose name. */
  published: z.array(sentenceSchema),
  /** Why it may be worth nothing, or count later. */
  warnings: z.array(sentenceSchema),
});
export type EntryDraft = z.infer<typeof entryDraftSchema>;

/** One thing that was looked at in a round’s record. */
export const recordCheckSchema = z.object({
  /** Null: it cannot be looked at here, which says nothing about it. */
  isRight: z.boolean().nullable(),
  text: z.string(),
  said: sentenceSchema.shape.said,
});
export type RecordCheck = z.infer<typeof recordCheckSchema>;

export const verificationStepSchema = z.discriminatedUnion('type', [
  /** How many submissions are judged again, of how many. */
  z.object({ type: z.literal('judging'), done: z.number(), of: z.number() }),
  z.object({ type: z.literal('check'), check: recordCheckSchema }),
  z.object({
    type: z.literal('done'),
    round: z.number(),
    isRight: z.boolean(),
    checks: z.array(recordCheckSchema),
    /** What people did to the round. */
    interventions: z.array(z.object({ at: z.number(), what: z.string() })),
  }),
]);
export type VerificationStep = z.infer<typeof verificationStepSchema>;

/** A competition that this node serves itself. */
export const servedCompetitionSchema = z.object({
  url: z.string(),
  server: z.string(),
  /** The one that is open. */
  round: z.number(),
  endsAt: z.number(),
  submissions: z.record(z.string(), z.number()),
  tracks: competitionTracksSchema,
  /** What is being judged of the one before, and how far that is, 0 to 1. */
  judging: z.object({ round: z.number(), submission: z.string(), done: z.number() }).nullable(),
  banned: z.number(),
  /** Of banned addresses that ask a person to look. */
  appeals: z.number(),
});

/** An address from which nothing is taken. */
export const competitionBanSchema = z.object({
  address: z.string(),
  bannedUntil: z.number(),
  appeal: z.object({ note: z.string(), hotkey: z.string(), at: z.number() }).nullable(),
});

/** Which server is asked. Default: the one that is set. */
const server = z.string().min(1).max(300).optional();
const name = z.string().min(1).max(64).optional();
const one = z.object({ id: entryId });

/** Competitions: who makes something fastest, by commit and reveal; as miners and onlookers see them. */
export const competitionContract = {
  /** What is set and what was submitted, now and whenever that changes. Asks no server. */
  watch: oc.output(eventIterator(competitionStateSchema)),
  state: oc.output(competitionStateSchema),
  /** The same, after the servers were asked how own submissions stand. A node that stays does that by itself. Reveals nothing. */
  look: oc.output(competitionStateSchema),
  /** The round that is open. */
  current: oc.input(z.object({ server })).output(openRoundSchema),
  /** The newest first. @param before a round’s number */
  rounds: oc
    .input(z.object({ server, before: round.optional() }))
    .output(z.object({ rounds: z.array(competitionRoundSchema), more: z.boolean() })),
  /** @param round default: the one that ended last. @throws BAD_REQUEST with the field `round` where none has */
  leaderboard: oc.input(z.object({ server, round: round.optional() })).output(competitionBoardSchema),
  /** Reckons the record of a round again, which any hotkey may fetch. @param judge also measures what is in it again, which takes long */
  verify: oc
    .input(z.object({ server, round, judge: z.boolean().default(false), wallet: name, hotkey: name }))
    .output(eventIterator(verificationStepSchema)),
  /** A file that is public at a server: what there is to beat, or of a round that has ended. @returns base64 */
  artefact: oc
    .input(z.object({ server, sha256, wallet: name, hotkey: name }))
    .output(z.object({ content: z.base64() })),
  /** Brings an artefact to the node, piece by piece. @returns the first byte that is not there yet */
  bring: oc
    .input(
      z.object({
        sha256,
        bytes: z.int().min(1).max(MOST_ENTRY_BYTES),
        from: z.int().min(0).max(MOST_ENTRY_BYTES),
        piece: z.base64().max(Math.ceil(ENTRY_PIECE_BYTES / 3) * 4),
      }),
    )
    .output(z.object({ next: z.number() })),
  /** Keeps a submission, and says what would be published. Nothing leaves this computer. */
  prepare: oc
    .input(
      z.object({
        sha256,
        /** As people call the file. */
        name: z.string().trim().min(1).max(200),
        tokens: z.int().min(LEAST_AIM).max(MOST_AIM),
        /** `kernel`: a module of WebAssembly; `gpu`: what names a commit of a repository. */
        track: z.enum(['kernel', 'gpu']).default('kernel'),
        server,
        wallet: name,
        hotkey: name,
      }),
    )
    .output(entryDraftSchema),
  /** Commits to what was prepared; once more does no harm. */
  submit: oc.input(one).output(ownEntrySchema),
  /** Reveals it now. @throws OVERLOADED where that is too early */
  reveal: oc.input(one).output(ownEntrySchema),
  /** Forgets what is over, or was never sent. */
  forget: oc.input(one).output(z.void()),
  /** The competition that this node serves; null where it serves none, with the reason where it should. */
  served: oc.output(z.object({ running: servedCompetitionSchema.nullable(), error: errorSchema.optional() })),
  /** Of the competition that this node serves. @throws NOT_RUNNING */
  bans: oc.output(z.array(competitionBanSchema)),
  /** @returns whether it was banned */
  lift: oc.input(z.object({ address: z.string().min(1).max(64) })).output(z.object({ lifted: z.boolean() })),
  /** Has the open round end so many hours later. */
  extend: oc.input(z.object({ round, hours: z.number().min(0.01).max(720) })).output(competitionRoundSchema),
  /** Closes the open round now. */
  end: oc.input(z.object({ round })).output(competitionRoundSchema),
};
