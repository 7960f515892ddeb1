import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { useNode } from '../../../state/node.ts';

/** By what this node serves others: what it owes, points among friends, or not at all. */
export type Standing = 'claims' | 'witnessed' | 'client';

/** Undefined while it is not known. */
export function useStanding(): Standing | undefined {
  const status = useNode((node) => node.status);
  const { data } = useAnswer(api.credits.summary.queryOptions());
  if (status && !status.mining) return 'client';
  return data?.rule;
}
