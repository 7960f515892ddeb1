import { useRef, useState } from 'react';
import type { QuarryError } from '../../../src-preload/contract/errors.ts';
import type { LearningStatus } from '../../../src-preload/contract/learning.ts';
import type { LearningNow } from '../../../src-preload/contract/learning-runs.ts';
import { api, client } from '../../api/client.ts';
import { useLive } from '../../api/live.ts';
import { queryClient } from '../../api/query-client.ts';
import { useAnswer } from '../../api/use-answer.ts';

/** Feedback may be given elsewhere, which is not told. */
const LOOK_AGAIN_MS = 5_000;

/** How learning stands, as long as somebody looks. */
export interface LiveLearning {
  /** Undefined before the first word of it. */
  now: LearningNow | undefined;
  status: LearningStatus | undefined;
  /** Main cannot say how it stands. */
  error: QuarryError | undefined;
  /** Asks anew, at once. */
  again: () => void;
}

/** Follows it; what the page knows of runs, versions and feedback is asked for anew with each change, but for how far it is within a phase. */
export function useLearning(): LiveLearning {
  const [attempt, setAttempt] = useState(0);
  const [now, setNow] = useState<LearningNow>();
  const known = useRef('');
  const take = (event: LearningNow) => {
    setNow(event);
    const told = JSON.stringify({ ...event, progress: null });
    if (told !== known.current) refreshLearning();
    known.current = told;
  };
  const error = useLive((signal) => client.learning.follow(undefined, { signal }), take, String(attempt));
  const { data: status } = useAnswer(api.learning.status.queryOptions({ refetchInterval: LOOK_AGAIN_MS }));
  return { now, status, error, again: () => setAttempt(attempt + 1) };
}

/** After something was changed that the page shows. */
export function refreshLearning(): void {
  void queryClient.invalidateQueries({ queryKey: api.learning.key() });
}
