import type { z } from 'zod';
import {
  appealedSchema,
  appealSchema,
  bansSchema,
  commitSchema,
  currentRoundSchema,
  healthSchema,
  hoursSchema,
  leaderboardSchema,
  liftedSchema,
  liftSchema,
  nothingSchema,
  pageSchema,
  revealSchema,
  revealsSchema,
  roundSchema,
  roundsSchema,
  signedRecordSchema,
  submissionSchema,
  submissionsSchema,
  verificationStatsSchema,
  weightsSchema,
} from './wire.ts';

/**
 * Who may ask: everybody; whoever signs (`key`); a `miner`; a `validator`, which has a permit and stake, or is named in the settings; the `operator`, who signs with the
 * server’s own hotkey.
 */
export type Access = 'open' | 'key' | 'miner' | 'validator' | 'operator';

/** One route below {@link COMPETITION_PATH}. */
export interface Route {
  /** `GET /rounds/:round` */
  at: `${'GET' | 'POST'} /${string}`;
  access: Access;
  /** For the description of the API. */
  summary: string;
  body?: z.ZodType;
  query?: z.ZodObject;
  /** What it answers with 200; the artefact alone is bytes. */
  answer: z.ZodType | 'bytes';
  /** Where a success is another one. Default 200. */
  status?: 200 | 201;
}

/** The one list of routes. */
export const ROUTES = {
  health: { at: 'GET /health', access: 'open', summary: 'Whether it is there.', answer: healthSchema },
  current: {
    at: 'GET /rounds/current',
    access: 'open',
    summary: 'The open round, with all that is needed to commit.',
    answer: currentRoundSchema,
  },
  rounds: {
    at: 'GET /rounds',
    access: 'open',
    summary: 'Rounds, the newest first.',
    query: pageSchema,
    answer: roundsSchema,
  },
  leaderboard: {
    at: 'GET /rounds/:round/leaderboard',
    access: 'open',
    summary: 'Who is where in a round that has ended, and with what share.',
    answer: leaderboardSchema,
  },
  commit: {
    at: 'POST /commitments',
    access: 'miner',
    summary: 'Commits to an artefact without showing it.',
    body: commitSchema,
    answer: submissionSchema,
    status: 201,
  },
  reveal: {
    at: 'POST /submissions/:id/reveal',
    access: 'miner',
    summary: 'Shows what was committed, and uploads the artefact.',
    body: revealSchema,
    answer: submissionSchema,
  },
  submissions: {
    at: 'GET /submissions',
    access: 'key',
    summary: 'Own submissions, the newest first, with their states and reasons.',
    query: pageSchema,
    answer: submissionsSchema,
  },
  submission: {
    at: 'GET /submissions/:id',
    access: 'key',
    summary: 'An own submission.',
    answer: submissionSchema,
  },
  reveals: {
    at: 'GET /reveals',
    access: 'key',
    summary: 'Own commitments that wait to be revealed, and how many of others there are.',
    answer: revealsSchema,
  },
  verification: {
    at: 'GET /rounds/:round/verification',
    access: 'key',
    summary: 'How judging a round goes, or went.',
    answer: verificationStatsSchema,
  },
  record: {
    at: 'GET /rounds/:round/record',
    access: 'key',
    summary: 'The signed record of a round that has ended.',
    answer: signedRecordSchema,
  },
  artefact: {
    at: 'GET /artefacts/:sha256',
    access: 'key',
    summary: 'The bytes of an artefact of a round that has ended, or of a baseline.',
    answer: 'bytes',
  },
  weights: {
    at: 'GET /weights',
    access: 'validator',
    summary: 'The shares of the round that ended last, as weights.',
    answer: weightsSchema,
  },
  appeal: {
    at: 'POST /appeals',
    access: 'key',
    summary: 'Asks whoever runs it to lift the ban of the address that this comes from.',
    body: appealSchema,
    answer: appealedSchema,
  },
  bans: { at: 'GET /bans', access: 'operator', summary: 'Banned addresses, with their appeals.', answer: bansSchema },
  lift: {
    at: 'POST /bans/lift',
    access: 'operator',
    summary: 'Lifts the ban of an address.',
    body: liftSchema,
    answer: liftedSchema,
  },
  open: {
    at: 'POST /rounds',
    access: 'operator',
    summary: 'Closes the open round, and opens the next for so many hours.',
    body: hoursSchema,
    answer: roundSchema,
    status: 201,
  },
  extend: {
    at: 'POST /rounds/:round/extend',
    access: 'operator',
    summary: 'Has the open round end so many hours later.',
    body: hoursSchema,
    answer: roundSchema,
  },
  end: {
    at: 'POST /rounds/:round/end',
    access: 'operator',
    summary: 'Closes the open round now.',
    body: nothingSchema,
    answer: roundSchema,
  },
  judgeAgain: {
    at: 'POST /submissions/:id/judge',
    access: 'operator',
    summary: 'Has a submission judged again, in a round that is being judged.',
    body: nothingSchema,
    answer: submissionSchema,
  },
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof ROUTES;
