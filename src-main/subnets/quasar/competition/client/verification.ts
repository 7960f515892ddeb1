import { setTimeout as pause } from 'node:timers/promises';
import type { RecordCheck, VerificationStep } from '../../../../../src-preload/contract/competition.ts';
import type { QuarryError } from '../../../../../src-preload/contract/errors.ts';
import { say, told } from '../../../../../src-preload/contract/saying.ts';
import { EventQueue } from '../../../../base/event-queue.ts';
import { foreignLine } from '../../../../base/foreign-text.ts';
import type { EntryRow } from '../../../../store/competition-entries.ts';
import type { Judge } from '../rules/verdict.ts';
import { type Again, judgeAgain } from '../verifying/judge-again.ts';
import type { RoundRecord } from '../wire.ts';
import type { Asking, CompetitionClient } from './competition-client.ts';
import { isRefusal } from './competition-problems.ts';
import { checksOf } from './record-checks.ts';

/** Between two questions of the same, milliseconds: so long it takes until one more is allowed. */
const LONGEST_PATIENCE_MS = 6_000;
const OUTCOMES = {
  same: 'competitor.check.same',
  differs: 'competitor.check.differs',
  contradicts: 'competitor.check.contradicts',
  notJudged: 'competitor.check.notJudged',
  notHere: 'competitor.check.notHere',
} as const;

export interface VerificationOptions {
  client: CompetitionClient;
  as: Asking;
  round: number;
  own: readonly EntryRow[];
  /** Judges all of it again. Default: nothing is */
  judge?: Judge | undefined;
}

/** Fetches the record of a round and reckons it again, and on demand measures again what is in it. */
export async function* verified(
  { client, as, round, own, judge }: VerificationOptions,
  signal: AbortSignal,
): AsyncGenerator<VerificationStep, void, undefined> {
  const signed = await client.record(as, round, signal);
  const checks = await checksOf(signed, {
    ...{ server: as.server, own },
    round: await client.round(round, signal),
    board: await client.leaderboard(round, signal),
    previous: round > 1 ? await client.record(as, round - 1, signal) : null,
  });
  for (const check of checks) yield { type: 'check', check };
  const { record } = signed;
  if (judge) {
    for await (const step of judgedAgain(record, { client, as, judge }, signal)) {
      if (step.type === 'check') checks.push(step.check);
      yield step;
    }
  }
  const interventions = record.interventions.map(({ at, what }) => ({ at, what: foreignLine(what) }));
  yield { type: 'done', round, isRight: checks.every(({ isRight }) => isRight !== false), checks, interventions };
}

async function* judgedAgain(
  record: RoundRecord,
  { client, as, judge }: { client: CompetitionClient; as: Asking; judge: Judge },
  signal: AbortSignal,
): AsyncGenerator<VerificationStep, void, undefined> {
  const steps = new EventQueue<VerificationStep>();
  const baselines = new Map<string, Buffer | undefined>();
  const fetched = (hash: string) =>
    patiently(() => client.artefact(as, hash, signal), signal).catch((error: unknown) => {
      if (isRefusal(error, 'NOT_FOUND') || (error as QuarryError).code === 'PROTOCOL') return undefined;
      throw error;
    });
  const artefact = async (hash: string) => {
    if (!record.baselines.some(({ sha256 }) => sha256 === hash)) return await fetched(hash);
    if (!baselines.has(hash)) baselines.set(hash, await fetched(hash));
    return baselines.get(hash);
  };
  const onProgress = (done: number, of: number) => steps.push({ type: 'judging', done, of });
  judgeAgain(record, { judge, artefact, signal, onProgress }).then(
    (again) => {
      for (const one of again) steps.push({ type: 'check', check: againCheck(one) });
      steps.end();
    },
    (error: unknown) => steps.fail(error), // thrown where the steps are read
  );
  yield* steps;
}

/** A server answers a hotkey ten times a minute: what is judged in less than that has to wait, or nobody could judge a round of many wrong ones again. */
async function patiently<Result>(ask: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!isRefusal(error, 'RATE_LIMIT')) throw error;
      const wait = (error as QuarryError).retryAfterMs ?? LONGEST_PATIENCE_MS;
      await pause(Math.min(wait, LONGEST_PATIENCE_MS), undefined, { signal });
    }
  }
}

/** Machines differ in how much faster something is on them: what must not be otherwise is whether it is right. What could not be judged is not verified. */
function againCheck(one: Again): RecordCheck {
  const submission = one.submission.slice(0, 8);
  if ('why' in one) {
    const text = say(OUTCOMES[one.outcome], { submission, why: foreignLine(one.why) });
    return { isRight: one.outcome === 'notHere' ? null : false, ...told({ text }) };
  }
  const here = one.own.right ? one.own.ratio.median.toFixed(3) : foreignLine(one.own.fault);
  return {
    isRight: one.outcome !== 'contradicts',
    ...told({ text: say(OUTCOMES[one.outcome], { submission, here }) }),
  };
}
