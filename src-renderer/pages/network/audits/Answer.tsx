import { Box, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import table from '../../../components/page/table.module.css';
import { useFormat } from '../../../i18n/format.ts';
import classes from './audits.module.css';
import { CalibrationBar } from './calibration/CalibrationBar.tsx';
import { Missing } from './Missing.tsx';
import { type AuditsView, MOST_AUDITS } from './use-audits.ts';
import { countsOf, isUnderWay } from './verdict.ts';

/** What came of all audits in one sentence, what is looked at, and what is missing to know more. */
export function Answer({ view }: { view: AuditsView }) {
  const { t } = useTranslation('audits');
  const { workers, judged } = countsOf(view.judged);
  const answer = useAnswerInWords(view);
  const unjudged = workers - judged;
  const run = view.now.calibration;
  return (
    <Box className={table.pad} pt={{ base: 16, sm: 24 }}>
      <p className={classes.answer} role="status">
        {answer}
      </p>
      <Text size="sm" c="dimmed" maw={640}>
        {t('what')}
      </Text>
      {judged > 0 && unjudged > 0 && (
        <Text size="sm" c="dimmed" mt={4}>
          {t('unjudged', { count: unjudged })}
        </Text>
      )}
      {run && (isUnderWay(run) || run.state === 'failed') ? <CalibrationBar run={run} /> : <Missing view={view} />}
    </Box>
  );
}

function useAnswerInWords(view: AuditsView): string {
  const { t } = useTranslation('audits');
  const format = useFormat();
  const { workers, found, judged } = countsOf(view.judged);
  if (workers === 0) return t('answer.nobody');
  const formatted = `${format.number(workers)}${view.judged.length === MOST_AUDITS ? '+' : ''}`;
  const looked = t('answer.looked', { count: workers, formatted });
  if (found > 0) return t('answer.found', { count: found, formatted: format.number(found), looked });
  return t(judged > 0 ? 'answer.noneFound' : 'answer.noneJudged', { looked });
}
