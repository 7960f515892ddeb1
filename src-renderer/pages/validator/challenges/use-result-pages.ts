import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import type { ResultsPage } from '../../../../src-preload/contract/validator-results.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import type { ChallengeChoice } from './challenge-choice.ts';

const ROWS = 50;

type Place = NonNullable<ResultsPage['next']>;

/** Results a page at a time, with the ways to older and newer ones: however many there are, few are in the window. */
export function useResultPages({ miner, environment, outcome }: ChallengeChoice) {
  // Where each page before this one began; it belongs to the choice.
  const of = JSON.stringify([miner, environment, outcome]);
  const [trail, setTrail] = useState<{ of: string; places: Place[] }>({ of, places: [] });
  const places = trail.of === of ? trail.places : [];
  const before = places.at(-1);
  const answer = useAnswer(
    api.validator.results.queryOptions({
      input: {
        limit: ROWS,
        ...(before && { before }),
        ...(miner && { miner }),
        ...(environment && { environment }),
        ...(outcome && { outcome }),
      },
      placeholderData: keepPreviousData,
    }),
  );
  const go = (next: Place[]) => setTrail({ of, places: next });
  const next = answer.isPlaceholderData ? null : (answer.data?.next ?? null);
  return {
    ...answer,
    isFirst: places.length === 0,
    /** How far back was looked, Unix milliseconds; null at the end. */
    lookedBackTo: next?.at ?? null,
    older: next ? () => go([...places, next]) : undefined,
    newer: places.length > 0 ? () => go(places.slice(0, -1)) : undefined,
    newest: () => {
      go([]);
      return answer.refetch();
    },
  };
}
