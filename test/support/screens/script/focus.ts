import type { Recording } from '../../../../src-preload/contract/focus.ts';
import { NOW } from '../sample-data.ts';
import { RECORDINGS, ratingOf, verdictOf } from '../sample-focus.ts';
import { every, type Script, type ScriptedData, type ScriptedOs } from './answers.ts';

const [RECORDING] = RECORDINGS as [Recording];
const GRANT = { id: RECORDING.id, token: 'a token', part: 0, nextChunk: 0, activeMs: 0 };
const ROOM = { count: RECORDINGS.length, bytes: RECORDING.bytes, budgetBytes: 20_000_000_000 };
const QUIET = { keys: 0, clicks: 0, moves: 0, picture: null, idleMs: null };

/** The contract's `focus` out of a script: recordings of some work, in their states. */
export function script(os: ScriptedOs['focus'], answers: ScriptedData): Script<'focus'> {
  return {
    watch: os.watch.handler(({ signal }) =>
      every(
        () => 1_000,
        () => ({ live: null, interrupted: [], room: ROOM }),
        signal,
      ),
    ),
    begin: os.begin.handler(() => GRANT),
    goOn: os.goOn.handler(() => GRANT),
    setPaused: os.setPaused.handler(() => undefined),
    forgetLast: os.forgetLast.handler(() => ({ forgottenMs: 60_000, grant: GRANT })),
    finish: os.finish.handler(() => RECORDING),
    list: os.list.handler(({ input: { state } }) => ({
      recordings: RECORDINGS.filter((one) => state === undefined || one.state === state),
      more: false,
    })),
    get: os.get.handler(() => RECORDING),
    update: os.update.handler(() => RECORDING),
    remove: os.remove.handler(() => undefined),
    activity: os.activity.handler(() =>
      Array.from({ length: 1_122 }, (_, at) => ({
        ...QUIET,
        at: RECORDING.startedAt + at * 1_000,
        activeMs: (at + 1) * 1_000,
        motion: (at * 7) % 60,
      })),
    ),
    check: os.check.handler(() => ({ chunks: 1_122, brokenAt: null })),
    score: os.score.handler(() => ({
      version: 'rules-1',
      score: 0.94,
      findings: [
        {
          rule: 'length',
          outcome: 'passed',
          text: 'Its length fits.',
          said: { text: { key: 'focusRules.length.fits' } },
        },
      ],
    })),
    prepare: os.prepare.handler(async function* () {
      yield { done: 1 };
    }),
    view: os.view.handler(() => ({ path: '/focus/video/none', expiresAt: NOW + 3_600_000 })),
    export: os.export.handler(async function* () {
      yield { type: 'progress', done: 0.5 };
    }),
    verdicts: os.verdicts.handler(({ input }) => input.ids.map(verdictOf)),
    rating: os.rating.handler(({ input }) => ratingOf(input.id)),
    rate: os.rate.handler(async function* ({ input }) {
      answers.scoring.push('rate');
      yield { type: 'done', verdict: verdictOf(input.id) };
    }),
    stopRating: os.stopRating.handler(() => undefined),
    appeal: os.appeal.handler(({ input }) => {
      answers.scoring.push(`appeal: ${input.note}`);
      return verdictOf(input.id);
    }),
    scorer: os.scorer.handler(() => answers.scorer),
  };
}
