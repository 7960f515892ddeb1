import { useTranslation } from 'react-i18next';
import type { LearningRunView } from '../../../src-preload/contract/learning-runs.ts';
import classes from './learning.module.css';

type Said = Pick<LearningRunView['feedback'][number], 'kind' | 'text'>;

/** What was said of an answer, in a sentence. */
export function useSentence(): (said: Said) => string {
  const { t } = useTranslation('learning');
  return ({ kind, text }) => t(`said.${kind}`, { text: text ?? '' });
}

/** What was said, each a line. */
export function Quotes({ feedback }: { feedback: readonly (Said & { id: number })[] }) {
  const sentence = useSentence();
  return (
    <>
      {feedback.map((said) => (
        <p key={said.id} className={classes.quote}>
          {sentence(said)}
        </p>
      ))}
    </>
  );
}
