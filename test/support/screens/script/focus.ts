import type { Recording } from '../../../../src-preload/contract/focus.ts';
import { NOW } from '../sample-data.ts';
import { every, type Script, type ScriptedOs } from './answers.ts';

const RECORDING: Recording = {
  id: '6f1c1f5e-0000-4000-8000-000000000001',
  title: 'Mend the CSV import of a budget app',
  description: 'The file has two dates in each row.',
  state: 'draft',
  surface: 'window',
  sound: { microphone: false, system: false },
  width: 1_280,
  height: 720,
  startedAt: NOW - 3_600_000,
  endedAt: NOW - 2_400_000,
  ended: 'finished',
  activeMs: 1_122_000,
  bytes: 212_000_000,
};
const GRANT = { id: RECORDING.id, token: 'a token', part: 0, nextChunk: 0, activeMs: 0 };
const ROOM = { count: 1, bytes: RECORDING.bytes, budgetBytes: 20_000_000_000 };
const QUIET = { keys: 0, clicks: 0, moves: 0, picture: null, idleMs: null };

/** The contract's `focus` out of a script: one recording, of some work. */
export function script(os: ScriptedOs['focus']): Script<'focus'> {
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
    list: os.list.handler(() => ({ recordings: [RECORDING], more: false })),
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
    strip: os.strip.handler(() => ({
      ...{ path: '/focus/video/none/strip.jpg', expiresAt: NOW + 3_600_000 },
      ...{ columns: 10, width: 160, height: 90, times: Array.from({ length: 60 }, (_, index) => index * 18_700) },
    })),
    find: os.find.handler(() => [RECORDING]),
    chapters: os.chapters.handler(() => ({ atMs: [0, 120_000, 600_000] })),
  };
}
