import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { SeededRandom } from '../../../validation/seeded-random.ts';
import { drawCases, drawSurprise, type KernelCase } from './cases.ts';
import { type CaseResult, runCase } from './correctness.ts';
import { BaselineError, KernelError, KernelInstance, ofBaseline } from './kernel-instance.ts';
import type { KernelReport, KernelTask } from './kernel-messages.ts';
import { measure } from './measure.ts';

/** Cases with which the baseline shows that the judge works, where nothing is measured. */
const BASELINE_CASES = 3;
/** Cases of other sizes among the pairs of a run that is measured, and the part of the work that comes before that run. */
const [SURPRISES, CASES_SHARE] = [8, 0.3];
/** Milliseconds between two words on how far it is. */
const TELL_EVERY_MS = 100;

/** Entry of the process that judges one kernel, and ends with it. What it imports needs no package: it may read nothing but Quarry’s own sources. */
process.once('message', (task) => {
  void judge(task as KernelTask).then(tell);
});

async function judge({
  kernel: bytes,
  baseline: peer,
  seed,
  tokens,
  measureMs,
  callsMs,
}: KernelTask): Promise<KernelReport> {
  // All of it is compiled at once, and as well as can be: else the first calls would be slow, and nobody knows until when.
  for (const flag of ['--no-liftoff', '--no-wasm-lazy-compilation']) setFlagsFromString(flag);
  const random = (what: string) => new SeededRandom(`quarry-kernel-1 ${what} ${seed}`);
  // The same draws for both, however often: a module that is the baseline must not see that it is.
  const play: Play = (player, one, number) => runCase(player, one, number, random(`case ${number}`));
  const cases = drawCases(random('cases'));
  try {
    const baseline = ofBaseline(() =>
      openBaseline(peer, cases.slice(0, tokens === null ? BASELINE_CASES : cases.length), play),
    );
    tell({ begun: 'kernel' });
    const kernel = new KernelInstance(Buffer.from(bytes, 'base64'));
    const checked = await checkAll(kernel, cases, play, { mostMs: callsMs, share: tokens === null ? 1 : CASES_SHARE });
    if (tokens === null) return { checked };
    const between = surprises({ kernel, baseline }, random('surprises'), checked.cases, play);
    return { measured: await measure({ kernel, baseline, tokens, random: random('run'), mostMs: measureMs, between }) };
  } catch (error) {
    if (error instanceof BaselineError) return { ours: error.found };
    if (error instanceof KernelError) return { found: error.found };
    throw error;
  }
}

/** Runs one case. @param number of cases before it, out of which all follows that is drawn for it */
type Play = (player: KernelInstance, one: KernelCase, number: number) => CaseResult;

function openBaseline(bytes: string, cases: readonly KernelCase[], play: Play): KernelInstance {
  const baseline = new KernelInstance(Buffer.from(bytes, 'base64'));
  for (const [number, one] of cases.entries()) play(baseline, one, number);
  return baseline;
}

/** @param share of all the work that this is */
async function checkAll(
  kernel: KernelInstance,
  cases: readonly KernelCase[],
  play: Play,
  { mostMs, share }: { mostMs: number; share: number },
) {
  let [worstError, ms] = [0, 0];
  for (const [number, one] of cases.entries()) {
    const result = play(kernel, one, number);
    worstError = Math.max(worstError, result.error);
    ms += result.ms;
    if (ms > mostMs) throw new KernelError({ fault: 'late', pairs: 0, ms: mostMs });
    tell({ done: (share * (number + 1)) / cases.length });
    await nextTurn();
  }
  return { cases: cases.length, worstError };
}

/**
 * Now and then another case comes between two pairs: a kernel must not take the sizes that are measured for a sign that nothing else is looked at. It comes to the
 * baseline as well, which else would know by that what it is.
 */
function surprises(
  { kernel, baseline }: Record<'kernel' | 'baseline', KernelInstance>,
  random: SeededRandom,
  before: number,
  play: Play,
): (done: number) => Promise<boolean> {
  let [sprung, toldAt] = [0, 0];
  return async (done) => {
    if (performance.now() - toldAt > TELL_EVERY_MS) {
      toldAt = performance.now();
      tell({ done: CASES_SHARE + (1 - CASES_SHARE) * done });
      await nextTurn();
    }
    if (done * SURPRISES < sprung) return false;
    const one = drawSurprise(random);
    ofBaseline(() => play(baseline, one, before + sprung));
    play(kernel, one, before + sprung);
    sprung++;
    return true;
  };
}

function tell(report: KernelReport): void {
  process.send?.(report);
}
