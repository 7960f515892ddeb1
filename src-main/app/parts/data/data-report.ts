import type { DataState } from '../../../../src-preload/contract/data.ts';
import { checkClips } from '../../../hardware/doctor/clips.ts';
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
