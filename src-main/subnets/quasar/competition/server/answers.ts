import type { z } from 'zod';
import { hexPattern } from '../../../../../src-preload/contract/limits.ts';
import { shaped } from '../../../../bittensor/signed-requests/request-body.ts';
import type { RoundRow, SubmissionRow } from '../../../../store/competition/competition-tables.ts';
import type { RouteName } from '../routes.ts';
import {
  type appealSchema,
  type Bans,
  type commitSchema,
  type hoursSchema,
  type liftSchema,
  MOST_ROUNDS_LISTED,
  pageSchema,
  type Reveal,
  roundNumberSchema,
  submissionIdSchema,
} from '../wire.ts';
import type { AddressBans } from './address-bans.ts';
import type { ArtefactFiles } from './artefact-files.ts';
import { notFound } from './competition-problem.ts';
import type { CompetitionViews } from './competition-views.ts';
import type { Entries } from './entries.ts';
import type { Roles } from './roles.ts';
import type { Rounds } from './rounds.ts';
import type { CompetitionTerms } from './terms.ts';

/** What a route is given: who asks, and what of it was signed. */
export interface Asked {
  /** ss58; empty where nobody has to sign. */
  hotkey: string;
  ip: string;
  params: unknown;
  query: unknown;
  /** As the route’s schema has it. */
  body: unknown;
}

/** A document, or bytes. */
export type Answer = object | Buffer;
export type Answers = Record<RouteName, (asked: Asked) => Promise<Answer>>;

export interface AnswersOptions {
  server: string;
  views: CompetitionViews;
  entries: Entries;
  rounds: Rounds;
  files: ArtefactFiles;
  bans: AddressBans;
  roles: Roles;
  terms: CompetitionTerms;
  /** Told of what changes when rounds close. */
  onChange: () => void;
}

/** What each route does. */
export function competitionAnswers(options: AnswersOptions): Answers {
  const { server, views, entries, rounds, bans, roles, terms, onChange } = options;
  const own = async (row: SubmissionRow) => views.submission(row);
  const changed = async (round: Promise<RoundRow>) => {
    const row = await round;
    onChange();
    return views.round(row);
  };
  return {
    health: async () => ({ status: 'ok', server, version: 1 }),
    current: () => views.current(),
    rounds: async ({ query }) => views.rounds(shaped(pageSchema, query).before, MOST_ROUNDS_LISTED),
    leaderboard: ({ params }) => views.leaderboard(roundNumber(params)),
    commit: async ({ hotkey, body }) => own(await entries.commit(hotkey, body as z.infer<typeof commitSchema>)),
    reveal: async ({ hotkey, ip, params, body }) =>
      own(await entries.reveal(hotkey, ip, submissionId(params), body as Reveal)),
    submissions: ({ hotkey, query }) => views.submissionsOf(hotkey, shaped(pageSchema, query).before),
    submission: async ({ hotkey, params }) => own(await entries.own(hotkey, submissionId(params))),
    reveals: ({ hotkey }) => views.reveals(hotkey),
    verification: ({ params }) => views.verification(roundNumber(params)),
    record: ({ params }) => views.record(roundNumber(params)),
    artefact: ({ params }) => artefact(params, options),
    weights: () => views.weights(terms.unclaimed, (hotkey) => roles.uidOf(hotkey)),
    appeal: async ({ hotkey, ip, body }) => {
      const { note } = body as z.infer<typeof appealSchema>;
      return { bannedUntil: await bans.appeal(ip, hotkey, note) };
    },
    bans: async () => bansView(bans),
    lift: async ({ body }) => ({ lifted: await bans.lift((body as z.infer<typeof liftSchema>).address) }),
    open: ({ body }) => changed(rounds.closeNow(undefined, (body as z.infer<typeof hoursSchema>).hours)),
    extend: ({ params, body }) =>
      changed(rounds.extend(roundNumber(params), (body as z.infer<typeof hoursSchema>).hours)),
    end: ({ params }) => changed(rounds.closeNow(roundNumber(params), terms.hours)),
    judgeAgain: async ({ params }) => {
      const row = await rounds.judgeAgain(submissionId(params));
      onChange();
      return own(row);
    },
  };
}

export function bansView(bans: AddressBans): Bans {
  return {
    bans: bans.banned().map((row) => ({
      ...{ address: row.address, bannedUntil: row.banned_until },
      appeal:
        row.appeal === null
          ? null
          : { note: row.appeal, hotkey: row.appealed_by ?? '', at: row.appealed_at ?? row.failed_at },
    })),
  };
}

const SHA256 = hexPattern(32);

async function artefact(params: unknown, { views, files }: AnswersOptions): Promise<Buffer> {
  const { sha256 } = params as { sha256: string };
  const bytes = SHA256.test(sha256) && (await views.isPublic(sha256)) ? await files.read(sha256) : undefined;
  if (!bytes) throw notFound('artefact');
  return bytes;
}

/** Nothing else gets as far as the database. @throws CompetitionProblem NOT_FOUND */
function roundNumber(params: unknown): number {
  const read = roundNumberSchema.safeParse(Number((params as { round: string }).round));
  if (read.success) return read.data;
  throw notFound('round');
}

/** @throws CompetitionProblem NOT_FOUND */
function submissionId(params: unknown): string {
  const read = submissionIdSchema.safeParse((params as { id: string }).id);
  if (read.success) return read.data;
  throw notFound('submission');
}
