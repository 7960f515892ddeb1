import { z } from 'zod';
import { hexPattern } from '../../../../src-preload/contract/limits.ts';
import { ss58Schema } from '../../../bittensor/address-schema.ts';
import { LEAGUES, LEAST_TOKENS, MOST_TOKENS } from './rules/leagues.ts';
import { PLACES } from './rules/terms.ts';
import { CLOSED } from './rules/tracks.ts';
import { MOST_ARTEFACT_BYTES, TRACKS, verdictSchema } from './rules/verdict.ts';

/**
 * What miners and validators say to a competition, and what it answers. Times are Unix milliseconds, hashes and keys are hex without `0x`, addresses are ss58; shares
 * are ten-thousandths of a round’s own pot. Which routes there are says `routes.ts`.
 */

/** All paths begin with it. */
export const COMPETITION_PATH = '/competition/1';
/** The first line of what is signed of every request. */
export const COMPETITION_TAG = 'quarry-competition-1';
/** A JSON body, at most; of a reveal, which brings the artefact in base64. */
export const MAX_BODY_BYTES = 16 * 1024;
export const MAX_REVEAL_BYTES = 4 * Math.ceil(MOST_ARTEFACT_BYTES.kernel / 3) + MAX_BODY_BYTES;
/** A page of submissions, and of rounds, each of which is counted. */
export const MOST_LISTED = 100;
export const MOST_ROUNDS_LISTED = 20;
/** Submissions that count in one round: as many are in a record. */
export const MOST_IN_ROUND = 1_024;
/** A record as text: what a server may send of one. */
export const MAX_RECORD_BYTES = 8 * 1024 * 1024;
export const MAX_NOTE_CHARS = 1_000;
/** Hours of a round. */
export const [LEAST_HOURS, MOST_HOURS] = [0.01, 720];

const MAX_MESSAGE_CHARS = 2_000;
const hex16 = z.string().regex(hexPattern(16));
const hex32 = z.string().regex(hexPattern(32));
const hex64 = z.string().regex(hexPattern(64));
/** As far as there are dates: beyond it whoever shows one fails. */
const time = z.int().min(0).max(8.64e15);
const count = z.int().min(0);
/** Also of how many blocks something is away: as times they are still dates. */
const block = z.int().min(0).max(0x7fff_ffff);
export const trackSchema = z.enum(TRACKS);
export const tokensSchema = z.int().min(LEAST_TOKENS).max(MOST_TOKENS);
export const leagueSchema = z.literal(LEAGUES.map(({ from }) => from));
/** Rounds are numbered from 1. */
export const roundNumberSchema = z.int().min(1).max(0x7fff_ffff);
export const submissionIdSchema = hex16;
const share = z.int().min(0);

/**
 * `open`: is committed to and revealed in. `judging`: closed; what was revealed is judged. `ended`: ranked, its record is signed, its seed known.
 */
export const ROUND_STATES = ['open', 'judging', 'ended'] as const;

/**
 * `committed`: waits to be revealed. `missed`: was not, while it could have been. `revealed`: waits to be judged. `copied`: another hotkey had committed to the same
 * bytes before. `repeated`: so had this one, in the same league and round. `wrong`, `right`: judged.
 */
export const SUBMISSION_STATES = ['committed', 'missed', 'revealed', 'copied', 'repeated', 'wrong', 'right'] as const;
export type SubmissionState = (typeof SUBMISSION_STATES)[number];

export const baselineSchema = z.object({
  track: trackSchema,
  league: leagueSchema,
  sha256: hex32,
  submission: submissionIdSchema.nullable(),
});

/** A round, as everybody sees it. */
export const roundSchema = z.object({
  round: roundNumberSchema,
  state: z.enum(ROUND_STATES),
  openedAt: time,
  /** When it closes, or did. */
  endsAt: time,
  openedBlock: block,
  /** Null while it is open. */
  closedBlock: block.nullable(),
  endedAt: time.nullable(),
  /** SHA-256 of its seed, said when it opened. */
  seedSha256: hex32,
  /** Null until it has ended. */
  seed: hex32.nullable(),
  /** Null until the round before has ended: its winners are among them. */
  baselines: z.array(baselineSchema).nullable(),
  /** How many there are in each state, of those that count in it. */
  submissions: z.partialRecord(z.enum(SUBMISSION_STATES), count),
});
export type RoundView = z.infer<typeof roundSchema>;

/** `GET /rounds/current`: the open one, with all that is needed to commit. */
export const currentRoundSchema = roundSchema.extend({
  /** ss58 of the hotkey that serves it: what callers sign for, and commitments are made to. */
  server: ss58Schema,
  /** The block now, and whose: of the chain, or of the server’s own clock. */
  block,
  clock: z.enum(['chain', 'local']),
  blockMs: count,
  blocksUntilReveal: block,
  /** Who commits from this block on can reveal only in the next round, by what is known now. */
  lastBlockToCommit: block,
  leagues: z.array(z.object({ from: leagueSchema, multiplier: z.number() })),
  /** In percent of the pot. */
  places: z.array(z.number()),
  artefactBytes: z.partialRecord(trackSchema, count),
  /** What can be committed to; of what cannot, why. */
  tracks: z.array(z.object({ track: trackSchema, closed: z.enum(CLOSED).nullable() })).max(TRACKS.length),
});
export type CurrentRound = z.infer<typeof currentRoundSchema>;

export const roundsSchema = z.object({ rounds: z.array(roundSchema).max(MOST_ROUNDS_LISTED), more: z.boolean() });
/** `?before=`: a round’s number, or a submission’s. */
export const pageSchema = z.strictObject({
  before: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
});

/** A place in a round. */
export const placeSchema = z.object({
  place: z.int().min(1),
  submission: submissionIdSchema,
  hotkey: ss58Schema,
  track: trackSchema,
  league: leagueSchema,
  tokens: tokensSchema,
  /** Its speed by the baseline’s, with the 95 % interval. */
  ratio: z.object({ median: z.number(), low: z.number(), high: z.number(), pairs: count }),
  /** The median by the league’s multiplier: what it is ordered by. */
  weighted: z.number(),
  tokensPerSecond: z.number(),
  share,
});
export type Place = z.infer<typeof placeSchema>;

/** `GET /rounds/<n>/leaderboard`: nothing of a round that has not ended. */
export const leaderboardSchema = z.object({
  round: roundNumberSchema,
  state: z.enum(ROUND_STATES),
  places: z.array(placeSchema).max(MOST_IN_ROUND),
  pot: share,
  unclaimed: share,
});
export type Leaderboard = z.infer<typeof leaderboardSchema>;

/** `POST /commitments`: answers {@link submissionSchema}, 201. */
export const commitSchema = z.strictObject({
  track: trackSchema,
  /** The round that is open now, as it stands in the commitment. */
  round: roundNumberSchema,
  commitment: hex32,
});

/** `POST /submissions/<id>/reveal`: all that the commitment binds, and the bytes. Answers {@link submissionSchema}. */
export const revealSchema = z.strictObject({
  track: trackSchema,
  tokens: tokensSchema,
  round: roundNumberSchema,
  salt: hex32,
  /** Base64. */
  artefact: z.base64().min(4).max(MAX_REVEAL_BYTES),
});
export type Reveal = z.infer<typeof revealSchema>;

/** An own submission. */
export const submissionSchema = z.object({
  id: submissionIdSchema,
  /** Place in the order of all commitments. */
  number: z.int().min(1),
  state: z.enum(SUBMISSION_STATES),
  track: trackSchema,
  /** The round that stands in the commitment, and the one in which it counts: the next one where it came too late to be revealed before the end. */
  round: roundNumberSchema,
  countsIn: roundNumberSchema,
  commitment: hex32,
  committedAt: time,
  committedBlock: block,
  /** The first block in which it can be revealed; how many that are from now, and about how long. */
  revealBlock: block,
  blocksLeft: block,
  aboutMs: count,
  /** The server’s signature (sr25519) of the receipt: see `rules/record.ts`. */
  receipt: hex64,
  /** Null until it is revealed. */
  league: leagueSchema.nullable(),
  tokens: tokensSchema.nullable(),
  sha256: hex32.nullable(),
  revealedAt: time.nullable(),
  /** Null until it is judged. */
  verdict: verdictSchema.nullable(),
  /** In words: why it is wrong, does not count, or is not judged yet; null where there is nothing to say. */
  reason: z.string().max(MAX_MESSAGE_CHARS).nullable(),
  /** Of a round that has ended. */
  place: z.int().min(1).nullable(),
  share,
});
export type SubmissionView = z.infer<typeof submissionSchema>;
export const submissionsSchema = z.object({
  submissions: z.array(submissionSchema).max(MOST_LISTED),
  more: z.boolean(),
});

/** `GET /reveals`: own commitments that wait to be revealed, and of the others how many there are. */
export const revealsSchema = z.object({
  block,
  own: z.array(submissionSchema).max(MOST_LISTED),
  others: count,
});

/** `GET /rounds/<n>/verification`: how judging goes, or went. */
export const verificationStatsSchema = z.object({
  round: roundNumberSchema,
  submissions: z.partialRecord(z.enum(SUBMISSION_STATES), count),
  judged: count,
  right: count,
  /** How many were found wrong for what. */
  faults: z.record(z.string(), count),
  /** Of those that are right: how many beat the baseline, and the mean of their medians; null where there is none. */
  faster: count,
  meanRatio: z.number().nullable(),
});
export type VerificationStats = z.infer<typeof verificationStatsSchema>;

/** `GET /weights`: the shares of the round that ended last, as parts of its pot. With {@link unclaimed} they are 1. */
export const weightsSchema = z.object({
  round: roundNumberSchema,
  weights: z.array(z.object({ uid: count.nullable(), hotkey: ss58Schema, weight: z.number().min(0).max(1) })),
  unclaimed: z.number().min(0).max(1),
  /** What is meant by that. */
  goes: z.enum(['burnt', 'carried']),
});
export type Weights = z.infer<typeof weightsSchema>;

/** `POST /appeals`: from an address that is banned, once for each ban. */
export const appealSchema = z.strictObject({
  // Not every database holds a character of zeros.
  note: z
    .string()
    .trim()
    .min(1)
    .max(MAX_NOTE_CHARS)
    .regex(/^[^\0]*$/),
});
export const appealedSchema = z.object({ bannedUntil: time });

/** `GET /bans`, for who runs it. */
export const bansSchema = z.object({
  bans: z.array(
    z.object({
      address: z.string(),
      bannedUntil: time,
      appeal: z.object({ note: z.string(), hotkey: ss58Schema, at: time }).nullable(),
    }),
  ),
});
export type Bans = z.infer<typeof bansSchema>;
export const liftSchema = z.strictObject({ address: z.string().min(1).max(64) });
export const liftedSchema = z.object({ lifted: z.boolean() });

const hours = z.number().min(LEAST_HOURS).max(MOST_HOURS);
/** `POST /rounds`: the open one closes, and the next is open for so many hours. `POST /rounds/<n>/extend`: the open one ends so many later. */
export const hoursSchema = z.strictObject({ hours });
/** For a route that wants no body. */
export const nothingSchema = z.strictObject({});

/** `GET /health`. */
export const healthSchema = z.object({ status: z.literal('ok'), server: ss58Schema, version: z.literal(1) });

/** One submission in a record. */
export const recordedSchema = z.object({
  id: submissionIdSchema,
  number: z.int().min(1),
  hotkey: ss58Schema,
  track: trackSchema,
  commitment: hex32,
  round: roundNumberSchema,
  committedAt: time,
  committedBlock: block,
  revealBlock: block,
  revealedAt: time,
  revealedBlock: block,
  tokens: tokensSchema,
  sha256: hex32,
  salt: hex32,
  state: z.enum(['copied', 'repeated', 'wrong', 'right']),
  verdict: verdictSchema.nullable(),
});
export type Recorded = z.infer<typeof recordedSchema>;

/** All that a round came to: what the server signs, and everybody can reckon again. */
export const recordSchema = z.object({
  version: z.literal(1),
  server: ss58Schema,
  round: roundNumberSchema,
  openedAt: time,
  closedAt: time,
  openedBlock: block,
  closedBlock: block,
  endedAt: time,
  seed: hex32,
  seedSha256: hex32,
  baselines: z.array(baselineSchema).max(LEAGUES.length * TRACKS.length),
  /** What was revealed in time, in the order of commitment. */
  submissions: z.array(recordedSchema).max(MOST_IN_ROUND),
  /** Commitments that counted in it and were not revealed. */
  missed: count,
  /** Whose the artefacts are that were revealed in an earlier round already: the hotkey that was first. */
  known: z.array(z.object({ track: trackSchema, sha256: hex32, hotkey: ss58Schema })).max(MOST_IN_ROUND),
  /** Ids in their order; the first is the winner. */
  ranking: z.array(submissionIdSchema).max(MOST_IN_ROUND),
  unclaimed: z.enum(['burnt', 'carried']),
  /** What was carried from the round before. */
  carriedIn: share,
  shares: z
    .array(z.object({ hotkey: ss58Schema, submission: submissionIdSchema, place: z.int().min(1), share }))
    .max(PLACES.length * TRACKS.length),
  /** What people did to it: when, and what. */
  interventions: z.array(z.object({ at: time, what: z.string().max(200) })).max(1_000),
  /** SHA-256 of the record of the round before, as it is signed; null for the first. */
  previous: hex32.nullable(),
});
export type RoundRecord = z.infer<typeof recordSchema>;

/** `GET /rounds/<n>/record`. */
export const signedRecordSchema = z.object({
  record: recordSchema,
  /** The server’s (sr25519), of the tag `quarry-round-1`, a newline and the record as RFC 8785 JSON; 128 hex. */
  signature: hex64,
});
export type SignedRecord = z.infer<typeof signedRecordSchema>;

export const COMPETITION_ERRORS = [
  /** 400: what was sent makes no sense. */
  'BAD_REQUEST',
  /** 400: what is revealed is not what was committed. It counts against the address. */
  'MISMATCH',
  /** 401: not signed as it should be, too old, or used before. */
  'UNAUTHORIZED',
  /** 403: another’s, or not for this hotkey. */
  'FORBIDDEN',
  /** 403, with `retryAfter`. */
  'BANNED',
  'NOT_FOUND',
  /** 409: committed or revealed already, or not in this state. */
  'CONFLICT',
  'TOO_LARGE',
  /** 425: too few blocks have passed; with `retryAfter`. */
  'TOO_EARLY',
  /** 429: too many requests. */
  'RATE_LIMIT',
  /** 429: the hotkey, or the round, has as many submissions as it may. */
  'FULL',
  /** 503: the chain does not answer, the disk is full, or the competition closes. */
  'UNAVAILABLE',
  /** 500. */
  'INTERNAL',
] as const;
export type CompetitionErrorCode = (typeof COMPETITION_ERRORS)[number];

/** Every answer that is none of the above. The header `retry-after` says the same in seconds. */
export const errorSchema = z.object({
  error: z.object({
    code: z.enum(COMPETITION_ERRORS),
    /** In English. */
    message: z.string().max(MAX_MESSAGE_CHARS),
    field: z.string().max(MAX_MESSAGE_CHARS).optional(),
    /** Milliseconds. */
    retryAfter: z.number().max(Number.MAX_SAFE_INTEGER).optional(),
  }),
});
