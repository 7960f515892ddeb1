import { publicKeyOf } from '../../../../bittensor/address.ts';
import { signaturesReady, verify } from '../../../../bittensor/sr25519.ts';
import { commitmentOf, submissionId } from '../rules/commitment.ts';
import { artefactKey, copiesIn } from '../rules/copies.ts';
import { LEAGUES } from '../rules/leagues.ts';
import { type Judged, rank } from '../rules/ranking.ts';
import { recordBytes } from '../rules/record.ts';
import { seedHash } from '../rules/seeds.ts';
import { sharesOf } from '../rules/shares.ts';
import { TRACKS } from '../rules/verdict.ts';
import { type RoundRecord, type SignedRecord, signedRecordSchema } from '../wire.ts';

/** Where a record contradicts itself, the rules, or what was said before. */
export interface Contradiction {
  what:
    | 'shape'
    | 'signature'
    | 'seed'
    | 'order'
    | 'commitment'
    | 'time'
    | 'copy'
    | 'verdict'
    | 'baseline'
    | 'ranking'
    | 'shares'
    | 'previous';
  /** Of which submission; absent where it is of the round. */
  submission?: string;
  /** In English. */
  message: string;
}

/** What whoever verifies knows of a round from elsewhere. */
export interface KnownBefore {
  /** ss58 of the server, as it was known before. */
  server: string;
  /** What was published as the hash of the seed when the round opened. */
  seedSha256?: string;
  /** Of the record of the round before: see `recordHash`. */
  previous?: string;
}

/** Reckons again all of a record for which nothing has to be judged. Never throws for what a record says. @returns nothing where all of it is as it should be */
export async function checkRecord(told: unknown, known: KnownBefore): Promise<Contradiction[]> {
  const read = signedRecordSchema.safeParse(told);
  if (!read.success) return [{ what: 'shape', message: 'It is no record of a round.' }];
  await signaturesReady();
  const { record } = read.data;
  return [
    ...signatureFaults(read.data, known),
    ...seedFaults(record, known),
    ...record.submissions.flatMap((one) => submissionFaults(one, record)),
    ...orderFaults(record),
    ...copyFaults(record),
    ...baselineFaults(record),
    ...rankingFaults(record),
  ];
}

function signatureFaults({ record, signature }: SignedRecord, { server, previous }: KnownBefore): Contradiction[] {
  const isSigned =
    record.server === server && verify(recordBytes(record), Buffer.from(signature, 'hex'), publicKeyOf(server));
  const isNext = previous === undefined || record.previous === previous;
  return [
    ...fault(!isSigned, 'signature', `It is not signed by ${server}.`),
    ...fault(!isNext, 'previous', 'It does not follow the record of the round before.'),
  ];
}

function seedFaults({ seed, seedSha256 }: RoundRecord, { seedSha256: opened }: KnownBefore): Contradiction[] {
  return [
    ...fault(seedHash(seed) !== seedSha256, 'seed', 'The seed is not the one whose hash was told.'),
    ...fault(
      opened !== undefined && opened !== seedSha256,
      'seed',
      'Another hash of the seed was told at the opening.',
    ),
  ];
}

function submissionFaults(one: RoundRecord['submissions'][number], record: RoundRecord): Contradiction[] {
  const { id, commitment, verdict, state, revealedAt, revealedBlock, revealBlock, committedBlock } = one;
  const isCommitted = commitmentOf(one) === commitment && submissionId({ ...one, server: record.server }) === id;
  const isInTime =
    revealedBlock >= revealBlock &&
    revealBlock > committedBlock &&
    revealedAt <= record.closedAt &&
    one.round <= record.round;
  const isJudged =
    state === 'copied' || state === 'repeated' ? verdict === null : verdict?.right === (state === 'right');
  return [
    ...fault(!isCommitted, 'commitment', 'What was revealed is not what was committed.', id),
    ...fault(!isInTime, 'time', 'It was not revealed when it could have been.', id),
    ...fault(!isJudged, 'verdict', 'Its state is not what its verdict says.', id),
  ];
}

function orderFaults({ submissions }: RoundRecord): Contradiction[] {
  return submissions.flatMap(({ id, number, committedBlock }, at) => {
    const before = submissions[at - 1];
    const isAfter = !before || (before.number < number && before.committedBlock <= committedBlock);
    return fault(!isAfter, 'order', 'It stands in another order than it was committed in.', id);
  });
}

function copyFaults({ submissions, known, round }: RoundRecord): Contradiction[] {
  if (round === 1 && known.length > 0) return fault(true, 'copy', 'Before the first round nothing was revealed.');
  const copies = copiesIn(submissions, new Map(known.map((one) => [artefactKey(one), one.hotkey])));
  return submissions.flatMap(({ id, state }) => {
    const told = state === 'copied' || state === 'repeated' ? state : undefined;
    return fault(
      copies.get(id) !== told,
      'copy',
      'Whose bytes they are is told otherwise than by who committed first.',
      id,
    );
  });
}

/** In all leagues of a track the same one: with another in one of them that league would be won by less. A track that there was not yet has none. The first round’s is nobody’s. */
function baselineFaults({ baselines, round, submissions }: RoundRecord): Contradiction[] {
  const leagues = new Set(baselines.map(({ track, league }) => `${track} ${league}`));
  const isOne = TRACKS.every((track) => {
    const own = baselines.filter((one) => one.track === track);
    const isSameForAll = own.every(
      ({ sha256, submission }) => sha256 === own[0]?.sha256 && submission === own[0]?.submission,
    );
    const isEntered = submissions.some((one) => one.track === track);
    return isSameForAll && (own.length === LEAGUES.length || (own.length === 0 && !isEntered));
  });
  const isNobodys = round > 1 || baselines.every(({ submission }) => submission === null);
  return [
    ...fault(!isOne || leagues.size !== baselines.length, 'baseline', 'Not all leagues have the same baseline.'),
    ...fault(!isNobodys, 'baseline', 'The baseline of the first round is a submission.'),
  ];
}

function rankingFaults(record: RoundRecord): Contradiction[] {
  const ranked = rank(record.submissions.filter((one): one is typeof one & Judged => one.verdict !== null));
  const { shares } = sharesOf(ranked, record.carriedIn, record.unclaimed);
  const isRanked = isSame(
    ranked.map(({ id }) => id),
    record.ranking,
  );
  return [
    ...fault(!isRanked, 'ranking', 'By its verdicts the order is another one.'),
    ...fault(!isSame(shares.map(shareText), record.shares.map(shareText)), 'shares', 'The shares are others.'),
  ];
}

const shareText = ({ hotkey, submission, place, share }: RoundRecord['shares'][number]) =>
  `${place} ${hotkey} ${submission} ${share}`;

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one, at) => one === others[at]);
}

function fault(isWrong: boolean, what: Contradiction['what'], message: string, submission?: string): Contradiction[] {
  return isWrong ? [{ what, message, ...(submission !== undefined && { submission }) }] : [];
}
