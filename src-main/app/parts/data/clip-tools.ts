import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { plainWindows } from '../../../clips/mining/plain-windows.ts';
import type { DataNeeds } from './data.ts';

/** What clips are made with on this computer. */
export function clipTools(): Pick<
  DataNeeds,
  'sources' | 'tools' | 'takeDowns' | 'abilities' | 'scorer' | 'submissions'
> {
  return {
    sources: {
      list: () => [],
      get: () => {
        throw new QuarryError({ code: 'BAD_REQUEST', message: say('clips.sourceOff') });
      },
    },
    tools: {
      media: () => undefined,
      windows: plainWindows,
      models: () => undefined,
      listeners: () => ({ voice: null, words: null, speakers: null }),
      captioner: () => undefined,
    },
    takeDowns: { isTakenDown: async () => false },
    abilities: () => [],
    scorer: undefined,
    submissions: { list: async () => ({ submissions: [], next: null }), miners: async () => [] },
  };
}
