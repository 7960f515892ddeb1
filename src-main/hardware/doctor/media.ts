import { type Saying, say, told } from '../../../src-preload/contract/saying.ts';
import type { CheckResult } from './check.ts';

/** What was found of the program that reads and cuts videos. */
export type MediaProgram = { version: string } | { lacks: Saying; hint: Saying };

/** Whether clips can be made, and looked at. Only for a node that is to do either. */
export function checkMedia(found: MediaProgram): CheckResult {
  const name = 'ffmpeg';
  if ('version' in found) {
    const { version } = found;
    return { name, status: 'ok', ...told({ found: say('clips.media.found', { version }) }) };
  }
  const { lacks, hint } = found;
  const lost = say('settings.sentences', { all: [lacks, say('clips.media.lost')] });
  return { name, status: 'warn', ...told({ found: lost, advice: hint }) };
}
