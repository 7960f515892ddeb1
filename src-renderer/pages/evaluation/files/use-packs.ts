import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { useWords } from '../use-words.ts';
import { type Pack, packsOf } from './packs.ts';

/** Files may come or go elsewhere, which is not told. */
const LOOK_AGAIN_MS = 10_000;

/** The published files, as they are fetched. */
export function usePacks() {
  const { data, error, refetch } = useAnswer(api.evaluation.files.queryOptions({ refetchInterval: LOOK_AGAIN_MS }));
  return { packs: data && packsOf(data), error, refetch };
}

/** How they are called. */
export function usePackName() {
  const { t } = useTranslation('evaluation');
  const words = useWords();
  return ({ suite, isExtra, isRequired }: Pack) =>
    isExtra && !isRequired ? t('files.more', { suite: words.suite(suite) }) : words.suite(suite);
}
