import { ORPCError } from '@orpc/server';
import { errorView } from '../../../../src-main/base/error-view.ts';
import type { CalibrationRun } from '../../../../src-preload/contract/audits.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import type { Script, ScriptedData, ScriptedOs } from './answers.ts';
import { every } from './answers.ts';

const LOOK_MS = 100;

/** The contract's `audits` out of a script. */
export function script(os: ScriptedOs['audits'], { audits }: ScriptedData): Script<'audits'> {
  let chars = 0;
  return {
    watch: os.watch.handler(({ signal }) =>
      every(
        () => LOOK_MS,
        () => audits.now,
        signal,
      ),
    ),
    calibrate: os.calibrate.handler(() => {
      const { own } = audits.now;
      const known = own.state === 'ready' ? { name: own.name, model: own.model } : { name: null, model: null };
      const run: CalibrationRun = { state: 'running', ...known, done: 0, of: 72, secondsLeft: null };
      audits.now = { ...audits.now, calibration: run };
      audits.done.push('calibrate');
    }),
    cancelCalibration: os.cancelCalibration.handler(() => {
      const { calibration } = audits.now;
      if (calibration) audits.now = { ...audits.now, calibration: { ...calibration, state: 'cancelled' } };
      audits.done.push('cancel');
    }),
    calibrations: os.calibrations.handler(() => audits.calibrations),
    list: os.list.handler(({ input }) => audits.list.slice(0, input.limit)),
    report: os.report.handler(async function* ({ input }) {
      audits.done.push(`report ${input.worker.slice(0, 4)}`);
      yield { text: '{"answers":[' };
      yield { text: '{}]}' };
    }),
    bring: os.bring.handler(({ input: { at, text } }) => {
      if (at === 0) chars = 0;
      chars += text.length;
      audits.done.push(`bring ${chars}`);
      return { chars };
    }),
    brought: os.brought.handler(() => {
      if (!audits.brought) throw refused('audits.noReport');
      return audits.brought;
    }),
    repeat: os.repeat.handler(async function* ({ signal }) {
      const of = audits.result.answers;
      for (let done = 1; done <= Math.min(of, audits.repeats); done++) yield { type: 'progress' as const, done, of };
      if (audits.repeats < of) await new Promise((resolve) => signal?.addEventListener('abort', resolve));
      else yield { type: 'done' as const, result: audits.result };
    }),
    discard: os.discard.handler(() => {
      audits.done.push('discard');
    }),
  };
}

function refused(key: 'audits.noReport'): ORPCError<string, unknown> {
  const data = errorView(new QuarryError({ code: 'BAD_REQUEST', message: say(key) }));
  return new ORPCError('QUARRY', { status: 400, message: data.message, data });
}
