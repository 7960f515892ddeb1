import { create } from 'zustand';
import type { QuarryError } from '../../../src-preload/contract/errors.ts';
import { toQuarryError } from '../../api/errors.ts';

/** Long work of main that says how far it is. */
export interface FollowedWork<Step> {
  /** What it is about. */
  name: string;
  isRunning: boolean;
  /** As far as it came; undefined before the first word of it. */
  step: Step | undefined;
  error: QuarryError | undefined;
}

/** Follows one work at a time, the one that was begun last: it goes on while other pages are open. */
export function followedWork<Step>() {
  const use = create<{ work: FollowedWork<Step> | undefined }>(() => ({ work: undefined }));
  let way: AbortController | undefined;
  return {
    use,
    /** Begins, and follows it to its end. @returns whether it came to one, and no other was begun meanwhile */
    async begin(name: string, open: (signal: AbortSignal) => Promise<AsyncIterable<Step>>): Promise<boolean> {
      const mine = new AbortController();
      way = mine;
      const show = (changes: Partial<FollowedWork<Step>>) => {
        const before = use.getState().work;
        const nothing = { isRunning: true, step: undefined, error: undefined };
        if (way === mine) use.setState({ work: { ...nothing, ...before, ...changes, name } });
      };
      show({ isRunning: true, step: undefined, error: undefined });
      try {
        for await (const step of await open(mine.signal)) show({ step });
        show({ isRunning: false });
        return way === mine;
      } catch (error) {
        show({ isRunning: false, error: toQuarryError(error) });
        return false;
      }
    },
    /** Ends it, and forgets how far it came. */
    giveUp(): void {
      way?.abort();
      way = undefined;
      use.setState({ work: undefined });
    },
  };
}
