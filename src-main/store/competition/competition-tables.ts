import type { Kysely } from 'kysely';
import type { TableGroup } from '../migrate.ts';

/** A round of one server: several may share a database. */
export interface RoundRow {
  /** ss58 of the hotkey that serves it. */
  server: string;
  /** From 1. */
  number: number;
  state: 'open' | 'judging' | 'ended';
  /** Unix milliseconds. */
  opened_at: number;
  ends_at: number;
  closed_at: number | null;
  ended_at: number | null;
  opened_block: number;
  closed_block: number | null;
  /** 64 hex: nobody is told before it has ended. */
  seed: string;
  seed_sha256: string;
  /** JSON; null until the round before has ended. */
  baselines: string | null;
  /** What came from the pot of the round before. */
  carried: number;
  /** As it was signed; null until it has ended. */
  record: string | null;
  signature: string | null;
}

/** All of a round but its record, which is long. */
export type RoundHead = Omit<RoundRow, 'record' | 'signature'>;

export interface SubmissionRow {
  server: string;
  /** Place in the order of all commitments of the server, from 1. */
  number: number;
  id: string;
  hotkey: string;
  commitment: string;
  track: string;
  /** The round in the commitment, and the one in which it counts. */
  round: number;
  counts_in: number;
  committed_at: number;
  committed_block: number;
  reveal_block: number;
  /** Of whoever told the block: the chain, or this server’s own clock. */
  clock: 'chain' | 'local';
  receipt: string;
  state: 'committed' | 'missed' | 'revealed' | 'copied' | 'repeated' | 'wrong' | 'right';
  tokens: number | null;
  /** SHA-256 of the artefact. */
  sha256: string | null;
  bytes: number | null;
  salt: string | null;
  revealed_at: number | null;
  revealed_block: number | null;
  /** JSON of the last one. */
  verdict: string | null;
  judged_at: number | null;
  /** How often judging it failed for reasons of ours, when it is tried again, and what was the matter. */
  tries: number;
  next_try_at: number;
  trouble: string | null;
  place: number | null;
  share: number;
}

/** Every verdict that there ever was, also those in whose place another one came. */
export interface VerdictRow {
  submission: string;
  server: string;
  judged_at: number;
  verdict: string;
}

/** An address that has failed, or is banned. */
export interface AddressRow {
  server: string;
  /** As `addressPlace` has it. */
  address: string;
  failures: number;
  failed_at: number;
  /** 0 for one that is not banned. */
  banned_until: number;
  appeal: string | null;
  appealed_by: string | null;
  appealed_at: number | null;
}

export interface CompetitionTables {
  competition_rounds: RoundRow;
  competition_submissions: SubmissionRow;
  competition_verdicts: VerdictRow;
  competition_addresses: AddressRow;
  competition_nonces: { server: string; hotkey: string; nonce: string; at: number };
  /** The last reading of a server’s own clock, with its signature. */
  competition_clocks: { server: string; block: number; at: number; signature: string };
  /** What people did to a round. */
  competition_interventions: Intervention & { server: string; round: number };
}

/** What a person did to a round, as its record tells it. */
export interface Intervention {
  /** Unix milliseconds. */
  at: number;
  what: string;
}

/** What the two databases call the same thing: see `results-tables.ts`. */
interface Words {
  integer: string;
  text: string;
  end: string;
}

export const competitionTables = ({ integer, text, end }: Words): TableGroup<CompetitionTables> => ({
  migrations: {
    '0014-competitions': [
      `CREATE TABLE competition_rounds (
        server ${text} NOT NULL,
        number ${integer} NOT NULL,
        state ${text} NOT NULL CHECK (state IN ('open', 'judging', 'ended')),
        opened_at ${integer} NOT NULL,
        ends_at ${integer} NOT NULL,
        closed_at ${integer},
        ended_at ${integer},
        opened_block ${integer} NOT NULL,
        closed_block ${integer},
        seed ${text} NOT NULL,
        seed_sha256 ${text} NOT NULL,
        baselines ${text},
        carried ${integer} NOT NULL,
        record ${text},
        signature ${text},
        PRIMARY KEY (server, number)
      )${end}`,
      // One round is open at a time, whatever happens.
      "CREATE UNIQUE INDEX competition_rounds_open ON competition_rounds (server) WHERE state = 'open'",
      `CREATE TABLE competition_submissions (
        server ${text} NOT NULL,
        number ${integer} NOT NULL,
        id ${text} NOT NULL UNIQUE,
        hotkey ${text} NOT NULL,
        commitment ${text} NOT NULL,
        track ${text} NOT NULL,
        round ${integer} NOT NULL,
        counts_in ${integer} NOT NULL,
        committed_at ${integer} NOT NULL,
        committed_block ${integer} NOT NULL,
        reveal_block ${integer} NOT NULL,
        clock ${text} NOT NULL,
        receipt ${text} NOT NULL,
        state ${text} NOT NULL
          CHECK (state IN ('committed', 'missed', 'revealed', 'copied', 'repeated', 'wrong', 'right')),
        tokens ${integer},
        sha256 ${text},
        bytes ${integer},
        salt ${text},
        revealed_at ${integer},
        revealed_block ${integer},
        verdict ${text},
        judged_at ${integer},
        tries ${integer} NOT NULL,
        next_try_at ${integer} NOT NULL,
        trouble ${text},
        place ${integer},
        share ${integer} NOT NULL,
        PRIMARY KEY (server, number),
        UNIQUE (server, hotkey, commitment)
      )${end}`,
      'CREATE INDEX competition_submissions_by_round ON competition_submissions (server, counts_in, state, number)',
      'CREATE INDEX competition_submissions_by_hotkey ON competition_submissions (server, hotkey, number)',
      'CREATE INDEX competition_submissions_by_artefact ON competition_submissions (server, sha256, number)',
      `CREATE TABLE competition_verdicts (
        submission ${text} NOT NULL,
        server ${text} NOT NULL,
        judged_at ${integer} NOT NULL,
        verdict ${text} NOT NULL
      )${end}`,
      'CREATE INDEX competition_verdicts_of ON competition_verdicts (submission, judged_at)',
      `CREATE TABLE competition_addresses (
        server ${text} NOT NULL,
        address ${text} NOT NULL,
        failures ${integer} NOT NULL,
        failed_at ${integer} NOT NULL,
        banned_until ${integer} NOT NULL,
        appeal ${text},
        appealed_by ${text},
        appealed_at ${integer},
        PRIMARY KEY (server, address)
      )${end}`,
      `CREATE TABLE competition_nonces (
        server ${text} NOT NULL,
        hotkey ${text} NOT NULL,
        nonce ${text} NOT NULL,
        at ${integer} NOT NULL,
        PRIMARY KEY (server, hotkey, nonce)
      )${end}`,
      'CREATE INDEX competition_nonces_by_time ON competition_nonces (server, at)',
      `CREATE TABLE competition_clocks (
        server ${text} PRIMARY KEY NOT NULL,
        block ${integer} NOT NULL,
        at ${integer} NOT NULL,
        signature ${text} NOT NULL
      )${end}`,
      `CREATE TABLE competition_interventions (
        server ${text} NOT NULL,
        round ${integer} NOT NULL,
        at ${integer} NOT NULL,
        what ${text} NOT NULL
      )${end}`,
      'CREATE INDEX competition_interventions_of ON competition_interventions (server, round, at)',
    ],
  },
});

/** Asks the database. @throws what the results database throws */
export type AskCompetition = <T>(query: (db: Kysely<CompetitionTables>) => Promise<T>) => Promise<T>;
