import { create } from 'zustand';
import type { PracticeEvent, PracticeRequest, PracticeTally } from '../../../../src-preload/contract/validator.ts';
import { api, client } from '../../../api/client.ts';
import { queryClient } from '../../../api/query-client.ts';

export type Judged = Extract<PracticeEvent, { type: 'judged' }>;

/** How a look at this computer’s own model stands. */
export interface Practice {
  state: 'idle' | 'running' | 'done' | 'cancelled' | 'failed';
  /** Whether what comes of it is kept. */
  keeps: boolean;
  /** Challenges in all, and those that were judged. */
  all: number;
  done: number;
  tallies: readonly PracticeTally[];
  /** The newest first, a few. */
  last: readonly Judged[];
  error: unknown;
}

const NOTHING: Practice = { state: 'idle', keeps: false, all: 0, done: 0, tallies: [], last: [], error: undefined };
const SHOWN = 8;

/** It goes on while other pages are open. */
export const usePractice = create<Practice>(() => NOTHING);
let going: AbortController | undefined;

/** Has this computer’s model asked; one look at a time. */
export async function startPractice(request: PracticeRequest): Promise<void> {
  if (going) return;
  const control = new AbortController();
  const { signal } = control;
  going = control;
  usePractice.setState({ ...NOTHING, state: 'running', keeps: request.keep });
  try {
    for await (const event of await client.validator.practise(request, { signal })) take(event);
    usePractice.setState({ state: 'done' });
  } catch (error) {
    usePractice.setState(signal.aborted ? { state: 'cancelled' } : { state: 'failed', error });
  } finally {
    going = undefined;
    if (request.keep) await queryClient.invalidateQueries({ queryKey: api.validator.key() });
  }
}

/** What was judged so far stays. */
export function cancelPractice(): void {
  going?.abort();
}

function take(event: PracticeEvent): void {
  if (event.type === 'begins') {
    usePractice.setState({ all: event.challenges });
    return;
  }
  const { last } = usePractice.getState();
  usePractice.setState({ done: event.done, tallies: event.tallies, last: [event, ...last].slice(0, SHOWN) });
}
