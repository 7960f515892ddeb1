import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { EvaluationFit, EvaluationRequest } from '../../../../src-preload/contract/evaluation.ts';
import { api, client } from '../../../api/client.ts';
import { refreshEvaluations, showEvaluation } from '../use-evaluations.ts';
import { type Draft, requestOf } from './draft.ts';

/** Begins what a form says, once it is known to fit; what was found is forgotten when the form changes, and looking ends with it. */
export function useBegin(draft: Draft) {
  const request = requestOf(draft);
  const looking = useRef<AbortController>(undefined);
  const start = useMutation(
    api.evaluation.start.mutationOptions({
      onSuccess: async ({ id }) => {
        await refreshEvaluations();
        showEvaluation(id);
      },
    }),
  );
  const look = useMutation({
    mutationFn: async ({ target, suites, lengths, ownTexts }: EvaluationRequest) => {
      looking.current = new AbortController();
      return await client.evaluation.fit({ target, suites, lengths, ownTexts }, { signal: looking.current.signal });
    },
    onSuccess: (fit, wanted) => {
      if (fitsWhole(fit)) start.mutate(wanted);
    },
  });
  const stop = () => {
    looking.current?.abort();
    look.reset();
    start.reset();
  };
  const latestStop = useRef(stop);
  latestStop.current = stop;
  const key = JSON.stringify(request);
  useEffect(() => () => latestStop.current(), [key]);
  const fit = look.data;
  return {
    /** What was found, where not all of it fits. */
    fit: fit && !fitsWhole(fit) ? fit : undefined,
    isLooking: look.isPending,
    isStarting: start.isPending,
    error: start.error ?? look.error,
    stop,
    /** Looks what fits, and begins it; where that was looked at already, begins what does. */
    begin: () => (fit ? start.mutate({ ...request, lengths: fittingOf(fit) }) : look.mutate(request)),
  };
}

const fitsWhole = (fit: EvaluationFit) => fittingOf(fit).length === fit.lengths.length && fit.tooShort.length === 0;

/** The lengths that fit. */
export const fittingOf = ({ lengths }: EvaluationFit): number[] =>
  lengths.filter(({ problem }) => problem === null).map(({ length }) => length);
