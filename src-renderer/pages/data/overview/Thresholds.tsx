import { Button } from '@mantine/core';
import { IconPlayerStopFilled, IconRuler2 } from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Section } from '../../../components/Section.tsx';
import { Measuring, Unmeasured } from './Measuring.tsx';
import { ThresholdTable } from './ThresholdTable.tsx';
import { measure, stopMeasuring, useMeasuring } from './thresholds-work.ts';

/** From where on each model in use calls clips alike, and the way to measure it. @param space of those models: with another one, others are in use */
export const Thresholds = memo(function Thresholds({ space }: { space: string | null }) {
  const { t } = useTranslation('data');
  const { data, error, refetch } = useAnswer(
    api.data.thresholds.queryOptions({
      queryKey: [...api.data.thresholds.key(), space],
      placeholderData: keepPreviousData,
    }),
  );
  const models = data ?? [];
  if (models.length === 0 && !error) return null;
  const isMeasured = models.every(({ thresholds }) => thresholds !== null);
  return (
    <Section
      title={t('threshold.title')}
      description={t('threshold.means')}
      aside={models.length > 0 && <MeasureButton isMeasured={isMeasured} />}
    >
      <ErrorNote error={error} onRetry={() => void refetch()} />
      <Measuring />
      {models.length > 0 && <ThresholdTable models={models} />}
      <Unmeasured />
    </Section>
  );
});

/** One button for both: whoever has pressed it with a key can press it again. */
function MeasureButton({ isMeasured }: { isMeasured: boolean }) {
  const { t } = useTranslation('data');
  const isRunning = useMeasuring(({ work }) => work?.isRunning === true);
  const Icon = isRunning ? IconPlayerStopFilled : IconRuler2;
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<Icon size={15} stroke={1.6} aria-hidden />}
      onClick={() => (isRunning ? stopMeasuring() : void measure())}
    >
      {t(isRunning ? 'threshold.stop' : isMeasured ? 'threshold.again' : 'threshold.measure')}
    </Button>
  );
}
