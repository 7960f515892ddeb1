import type { DataState } from '../../../src-preload/contract/data.ts';
import { type Saying, say, told, wordsOf } from '../../../src-preload/contract/saying.ts';
import type { CheckResult } from './check.ts';

const name = 'clips';

type Examined = Pick<DataState, 'abilities' | 'order' | 'clips' | 'fault'>;

/** Whether whoever makes clips has all that it takes. */
export function checkClips({ abilities, order, clips, fault }: Examined): CheckResult {
  if (!order && clips === 0) return { name, status: 'skip', ...told({ found: say('clips.doctor.unused') }) };
  const media = abilities.find(({ ability }) => ability === 'media');
  if (media && !media.isReady) {
    const found = media.lost ? wordsOf(media.lost, 'text') : say('clips.noMedia'); // the first names the program that was meant
    return { name, status: 'fail', ...told({ found, advice: media.hint ? wordsOf(media.hint, 'text') : undefined }) };
  }
  const lost = abilities.flatMap((one) => (one.lost ? [wordsOf(one.lost, 'text')] : []));
  const found: Saying = lost.length === 0 ? say('clips.doctor.ready') : say('clips.doctor.lacks', { lost });
  const advice = fault ? wordsOf(fault, 'text') : undefined;
  return { name, status: lost.length > 0 || fault ? 'warn' : 'ok', ...told({ found, advice }) };
}
