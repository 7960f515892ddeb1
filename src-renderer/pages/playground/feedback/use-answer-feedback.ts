import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Turn } from '../../../../src-preload/contract/conversations.ts';
import { answerOfTurn } from '../../../../src-preload/contract/kept-answers.ts';
import type { Feedback, FeedbackKind } from '../../../../src-preload/contract/learning.ts';
import { api, client } from '../../../api/client.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { isOwnAnswer, type NotKept, whyNotKept } from './not-kept.ts';

/** So much of what was said is looked at: what is older is on the page of learning. */
const NEWEST = 100;
/** While something waits or is being learnt. */
const LOOK_AGAIN_MS = 5_000;
const newest = () => api.learning.feedback.queryOptions({ input: { limit: NEWEST } });

type Thumb = 'up' | 'down';
type Form = 'say' | 'edit';

/** What was said of an answer, and what can be said. */
export interface AnswerFeedbackHandle {
  /** Newest first, without what was withdrawn. */
  given: Feedback[];
  /** A thumb that waits to be learnt. */
  thumb: Thumb | undefined;
  /** What is being written; undefined: nothing. */
  form: Form | undefined;
  /** Somebody wanted to say something, and this is why it cannot be. */
  notKept: NotKept | undefined;
  pending: boolean;
  error: unknown;
  /** Sets a thumb, or takes it back where it is set. */
  press: (thumb: Thumb) => void;
  open: (form: Form | undefined) => void;
  send: (kind: Form, text: string) => void;
  withdraw: (id: number) => void;
}

/** Undefined for answers that nothing can be said of: questions, and answers of the mesh. */
export function useAnswerFeedback(turn: Turn, isPrivate: boolean): AnswerFeedbackHandle | undefined {
  const [form, setForm] = useState<Form>();
  const [isTold, setTold] = useState(false);
  const isOwn = isOwnAnswer(turn);
  const answer = answerOfTurn(turn.id);
  const { data: status } = useAnswer({ ...api.learning.status.queryOptions(), enabled: isOwn });
  const { data } = useAnswer({ ...newest(), enabled: isOwn });
  const change = useMutation({
    mutationFn: async ({ back, kind, text }: Change) => {
      if (back !== undefined) await client.learning.withdraw({ id: back });
      if (kind) await client.learning.give({ answer, kind, ...(text !== undefined && { text }) });
    },
    onSuccess: () => setForm(undefined),
    onSettled: () => queryClient.invalidateQueries({ queryKey: api.learning.key() }),
  });
  if (!isOwn) return undefined;
  const given = data?.feedback.filter((one) => one.answer === answer && one.state !== 'withdrawn') ?? [];
  const set = given.find(({ kind, state }) => state === 'waiting' && (kind === 'up' || kind === 'down'));
  const why = whyNotKept(turn, { isPrivate, keeps: status?.keeps });
  /** Says why it cannot be, where it cannot. */
  const ifKept = (act: () => void) => {
    setTold(why !== undefined);
    if (why === undefined) act();
  };
  return {
    given,
    thumb: set?.kind === 'up' || set?.kind === 'down' ? set.kind : undefined,
    form: why === undefined ? form : undefined,
    notKept: isTold ? why : undefined,
    pending: change.isPending,
    error: change.error,
    press: (thumb) => ifKept(() => change.mutate({ back: set?.id, kind: set?.kind === thumb ? undefined : thumb })),
    open: (wanted) => ifKept(() => setForm(wanted)),
    send: (kind, text) => change.mutate({ kind, text: text.trim() }),
    withdraw: (id) => change.mutate({ back: id }),
  };
}

/** Looks again at what becomes of what was said, for all answers at once. */
export function useFollowFeedback(turns: readonly Turn[]): void {
  useAnswer({
    ...newest(),
    enabled: turns.some(isOwnAnswer),
    refetchInterval: ({ state }) => (state.data?.feedback.some(isUnderWay) ? LOOK_AGAIN_MS : false),
  });
}

interface Change {
  /** Id of feedback that is taken back. */
  back?: number | undefined;
  kind?: FeedbackKind | undefined;
  text?: string;
}

function isUnderWay({ state }: Feedback): boolean {
  return state === 'waiting' || state === 'taken';
}
