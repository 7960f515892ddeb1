import type { DataState } from '../../../../src-preload/contract/data.ts';
import { type Saying, say, told, wordsOf } from '../../../../src-preload/contract/saying.ts';
import type { CheckResult } from '../../../hardware/doctor/check.ts';
import type { Report } from '../report.ts';
import type { DataPart } from './data.ts';

/** What there is of clips, for `/metrics`, the bundle and the doctor. */
export function dataReport({ desk }: Pick<DataPart, 'desk'>): Report {
  const read = async <T>(of: (state: DataState) => T) => of(await desk.state());
  return {
    figures: [
      { name: 'quarry_clips', help: 'Clips in the library.', read: () => read(({ clips }) => clips) },
      {
        name: 'quarry_clip_bytes',
        help: 'Bytes of clips, and of what was fetched for them.',
        read: () => read(({ bytes }) => bytes),
      },
      {
        name: 'quarry_clip_jobs',
        help: 'Videos of which clips are made, by state.',
        label: 'state',
        read: () => read(({ jobs }) => jobs),
      },
    ],
    diagnostics: {
      // Whose videos they are is nobody's business who helps.
      data: () =>
        read(({ mining, fault, jobs, clips, bytes, diskBudget, space, abilities }) => {
          return { mining, fault, jobs, clips, bytes, diskBudget, space, abilities };
        }),
    },
    checks: { clips: async () => checkClips(await desk.state()) },
  };
}

const name = 'clips';

/** Whether whoever makes clips has all that it takes. */
export function checkClips({ abilities, order, clips, fault }: DataState): CheckResult {
  if (!order && clips === 0) return { name, status: 'skip', ...told({ found: say('clips.doctor.unused') }) };
  const media = abilities.find(({ ability }) => ability === 'media');
  if (media && !media.isReady) {
    const found = say('clips.noMedia');
    return { name, status: 'fail', ...told({ found, advice: media.hint ? wordsOf(media.hint, 'text') : undefined }) };
  }
  const lost = abilities.flatMap((one) => (one.lost ? [wordsOf(one.lost, 'text')] : []));
  const found: Saying = lost.length === 0 ? say('clips.doctor.ready') : say('clips.doctor.lacks', { lost });
  const advice = fault ? wordsOf(fault, 'text') : undefined;
  return { name, status: lost.length > 0 || fault ? 'warn' : 'ok', ...told({ found, advice }) };
}
