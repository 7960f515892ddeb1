import { keepPreviousData, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Turn } from '../../../../src-preload/contract/conversations.ts';
import { answerOfTurn } from '../../../../src-preload/contract/kept-answers.ts';
import type { Feedback, FeedbackKind } from '../../../../src-preload/contract/learning.ts';
import { MAX_ANSWERS_ASKED } from '../../../../src-preload/contract/limits.ts';
import { api, client } from '../../../api/client.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { isOwnAnswer, type NotKept, whyNotKept } from './not-kept.ts';

/** A page of what was said. */
const TOGETHER = 100;
/** While something waits or is being learnt. */
const LOOK_AGAIN_MS = 5_000;

type Thumb = 'up' | 'down';
type Form = 'say' | 'edit';

/** What was said of an answer, and what can be said. */
export interface AnswerFeedbackHandle {
  /** Newest first, without what was withdrawn. */
  given: Feedback[];
  /** The thumb that is set. */
  thumb: Thumb | undefined;
  /** What is being written; undefined: nothing. */
  form: Form | undefined;
  /** Somebody wanted to say something, and this is why it cannot be. */
  notKept: NotKept | undefined;
  pending: boolean;
  error: unknown;
  /** Sets a thumb, or takes it back where it is set. One down opens the form: what should be different teaches, a thumb does not. */
  press: (thumb: Thumb) => void;
  open: (form: Form | undefined) => void;
  send: (kind: Form, text: string) => void;
  withdraw: (id: number) => void;
}

/**
 * Undefined for answers that nothing can be said of: questions, and answers of the mesh.
 * @param said of all answers of the conversation: see {@link useFeedbackOf}
 */
export function useAnswerFeedback(
  turn: Turn,
  { said, isPrivate }: { said: readonly Feedback[]; isPrivate: boolean },
): AnswerFeedbackHandle | undefined {
  const [form, setForm] = useState<Form>();
  const [isTold, setTold] = useState(false);
  const isOwn = isOwnAnswer(turn);
  const answer = answerOfTurn(turn.id);
  const { data: status } = useAnswer({ ...api.learning.status.queryOptions(), enabled: isOwn });
  const change = useMutation({
    mutationFn: async ({ back, kind, text }: Change) => {
      if (back !== undefined) await client.learning.withdraw({ id: back });
      if (kind) await client.learning.give({ answer, kind, ...(text !== undefined && { text }) });
    },
    onSuccess: (_, { kind }) => {
      if (kind === 'down') setForm((shown) => shown ?? 'say');
      if (kind === 'say' || kind === 'edit') setForm(undefined);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: api.learning.key() }),
  });
  if (!isOwn) return undefined;
  const given = said.filter((one) => one.answer === answer && one.state !== 'withdrawn');
  const set = given.find(({ kind, state }) => state === 'noted' && (kind === 'up' || kind === 'down'));
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
    press: (thumb) => {
      if (change.isPending) return;
      ifKept(() => change.mutate({ back: set?.id, kind: set?.kind === thumb ? undefined : thumb }));
    },
    open: (wanted) => ifKept(() => setForm(wanted)),
    send: (kind, text) => change.mutate({ kind, text: text.trim() }),
    withdraw: (id) => change.mutate({ back: id }),
  };
}

/** What was said of the answers of a conversation, newest first; looks again at what becomes of it. */
export function useFeedbackOf(turns: readonly Turn[]): readonly Feedback[] {
  const answers = turns.filter(isOwnAnswer).map(({ id }) => answerOfTurn(id));
  const { data } = useAnswer({
    queryKey: [...api.learning.feedback.key(), answers],
    queryFn: ({ signal }) => feedbackOf(answers, signal),
    placeholderData: keepPreviousData,
    enabled: answers.length > 0,
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? LOOK_AGAIN_MS : false),
  });
  return data ?? NOTHING;
}

const NOTHING: readonly Feedback[] = [];

async function feedbackOf(answers: readonly string[], signal: AbortSignal): Promise<Feedback[]> {
  const found: Feedback[] = [];
  for (let at = 0; at < answers.length; at += MAX_ANSWERS_ASKED) {
    const these = answers.slice(at, at + MAX_ANSWERS_ASKED);
    for (let before: number | undefined, more = true; more; before = found.at(-1)?.id) {
      const page = await client.learning.feedback({ answers: these, limit: TOGETHER, before }, { signal });
      found.push(...page.feedback);
      more = page.more;
    }
  }
  return found;
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
