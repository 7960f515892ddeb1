import type { Recording } from '../../../../src-preload/contract/focus.ts';
import type { FocusTasks } from '../../../../src-preload/contract/focus-tasks.ts';
import { mostMoved } from '../../../../src-preload/contract/most-moved.ts';
import { NOW } from '../sample-data.ts';
import { RECORDINGS, ratingOf, verdictOf } from '../sample-focus.ts';
import { every, type Script, type ScriptedData, type ScriptedOs } from './answers.ts';

const [RECORDING] = RECORDINGS as [Recording];
const GRANT = { id: RECORDING.id, token: 'a token', part: 0, nextChunk: 0, activeMs: 0 };
const ROOM = { bytes: RECORDING.bytes, budgetBytes: 20_000_000_000 };
const TASK = { reason: '', field: null, multiplier: 1, validUntil: null, recorded: 0 };
const TASKS: FocusTasks = {
  tasks: [
    {
      ...TASK,
      kind: 'boosted',
      id: 'boost-spreadsheet',
      title: 'Build a budget in a spreadsheet',
      description: 'From a list of made-up expenses to monthly sums and a chart.',
      multiplier: 2.5,
      validUntil: NOW + 20 * 86_400_000,
    },
    {
      ...TASK,
      kind: 'platform',
      id: 'plan-deliveries',
      title: 'Plan the deliveries of a day',
      description: 'From a list of addresses to an order in which they are visited, and why.',
    },
    { ...TASK, kind: 'own', id: null, title: RECORDING.title, description: RECORDING.description, recorded: 1 },
    {
      ...TASK,
      kind: 'suggested',
      id: 'code-fix-bug',
      title: 'Find and mend a bug, with a test',
      description: 'Begin with how it fails, narrow it down, mend it, and run a test that failed before.',
      reason: 'The way from a symptom to its cause, and the proof at the end.',
      field: 'programming',
    },
    {
      ...TASK,
      kind: 'suggested',
      id: 'data-clean-table',
      title: 'Clean up a messy table',
      description: 'Mend dates, double rows and names that are written in several ways; note each rule.',
      reason: 'Every real table needs it, and each step can be followed.',
      field: 'data',
    },
  ],
  leftOut: 1,
  boosted: { address: 'https://tasks.example/list.json', number: 4, takenAt: NOW - 600_000 },
};
/** Of each second. */
const MOTION = Array.from({ length: 1_122 }, (_, at) => (at * 7) % 60);
const QUIET = { keys: 0, clicks: 0, moves: 0, picture: null, idleMs: null };

/** The contract's `focus` out of a script: recordings of some work, in their states. */
export function script(os: ScriptedOs['focus'], answers: ScriptedData): Script<'focus'> {
  return {
    watch: os.watch.handler(({ signal }) =>
      every(
        () => 1_000,
        () => ({ live: null, interrupted: [], room: { ...ROOM, count: answers.library.length } }),
        signal,
      ),
    ),
    begin: os.begin.handler(() => GRANT),
    goOn: os.goOn.handler(() => GRANT),
    setPaused: os.setPaused.handler(() => undefined),
    forgetLast: os.forgetLast.handler(() => ({ forgottenMs: 60_000, grant: GRANT })),
    finish: os.finish.handler(() => RECORDING),
    list: os.list.handler(({ input: { state, before = Infinity, limit } }) => {
      const left = answers.library.filter(
        (one) => one.startedAt < before && (state === undefined || one.state === state),
      );
      return { recordings: left.slice(0, limit), more: left.length > limit };
    }),
    get: os.get.handler(() => RECORDING),
    update: os.update.handler(() => RECORDING),
    remove: os.remove.handler(() => undefined),
    activity: os.activity.handler(() =>
      MOTION.map((motion, at) => ({
        ...QUIET,
        at: RECORDING.startedAt + at * 1_000,
        activeMs: (at + 1) * 1_000,
        motion,
      })),
    ),
    motion: os.motion.handler(({ input: { bars } }) => mostMoved(MOTION, bars)),
    check: os.check.handler(() => ({ chunks: 1_122, brokenAt: null, otherSigner: null })),
    score: os.score.handler(() => answers.rules),
    prepare: os.prepare.handler(async function* () {
      yield { done: 1 };
    }),
    view: os.view.handler(() => ({ path: '/focus/video/none', expiresAt: NOW + 3_600_000 })),
    export: os.export.handler(async function* () {
      yield { type: 'progress', done: 0.5 };
    }),
    sources: os.sources.handler(() => ({
      hidden: 1,
      sources: [
        { id: 'screen:0:0', name: 'Entire screen', kind: 'screen', picture: '' },
        { id: 'window:7:0', name: 'Budget app', kind: 'window', picture: '' },
      ],
    })),
    choose: os.choose.handler(() => undefined),
    commands: os.commands.handler(({ signal }) =>
      every(
        () => 60_000,
        () => ({ command: 'resume' as const }),
        signal,
      ),
    ),
    tasks: os.tasks.handler(() => TASKS),
    refreshTasks: os.refreshTasks.handler(() => TASKS.boosted),
    sent: os.sent.handler(() => []),
    strip: os.strip.handler(async function* () {
      const file = { path: '/focus/video/none/strip.jpg', expiresAt: NOW + 3_600_000 };
      const times = Array.from({ length: 60 }, (_, index) => index * 18_700);
      yield { type: 'done', strip: { ...file, columns: 10, width: 160, height: 90, times } };
    }),
    find: os.find.handler(() => [RECORDING]),
    chapters: os.chapters.handler(() => ({ atMs: [0, 120_000, 600_000] })),
    presence: os.presence.handler(() => ({ idleMs: 0, pauseAfterMs: 180_000, covered: null })),
    excluded: os.excluded.handler(() => ({ by: null })),
    verdicts: os.verdicts.handler(({ input: { ids } }) =>
      answers.library.filter(({ id }) => ids.includes(id)).map(({ id, state }) => ({ ...verdictOf(id), state })),
    ),
    rating: os.rating.handler(({ input }) => ratingOf(input.id)),
    rate: os.rate.handler(async function* ({ input }) {
      answers.scoring.push(input.appeal === undefined ? 'rate' : `appeal: ${input.appeal}`);
      yield { type: 'done', verdict: verdictOf(input.id) };
    }),
    stopRating: os.stopRating.handler(() => undefined),
    scorer: os.scorer.handler(() => answers.scorer),
  };
}
