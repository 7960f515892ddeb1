import { IconAlertTriangle, IconCheck, IconClock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { RepeatedAudit } from '../../../../../src-preload/contract/audits.ts';
import { Note } from '../../../../components/Note.tsx';
import { useFormat } from '../../../../i18n/format.ts';
import classes from '../audits.module.css';
import { useFindingWords } from '../use-finding-words.ts';
import { useMean } from '../use-measure.ts';
import { LEAST_TOKENS, MEASURES } from '../verdict.ts';

/** What this computer's model makes of a report, in words. */
export function Outcome({ result }: { result: RepeatedAudit }) {
  const { t } = useTranslation('audits');
  const format = useFormat();
  const found = useFindingWords();
  const mean = useMean();
  const means = MEASURES.map((measure) => `${t(`measure.${measure}`)} ${mean(measure, result[measure])}`);
  if (result.finding)
    return (
      <Note state="error" icon={IconAlertTriangle} role="status" title={t('outcome.found')}>
        <p className={classes.sentence}>{found(result.finding)}</p>
        {t('outcome.chosen')}
      </Note>
    );
  if (result.tokens < LEAST_TOKENS)
    return (
      <Note state="wait" icon={IconClock} role="status" title={t('outcome.early')}>
        {t('outcome.earlyMeans', { tokens: format.number(result.tokens), least: format.number(LEAST_TOKENS) })}
      </Note>
    );
  return (
    <Note state="good" icon={IconCheck} role="status" title={t('outcome.clean')}>
      {t('outcome.cleanMeans', { tokens: format.number(result.tokens), means: format.list(means) })}
    </Note>
  );
}
