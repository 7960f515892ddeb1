import { Alert, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { IconBolt } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { useFormat } from '../../i18n/format.ts';
import { HardwareTable } from './HardwareTable.tsx';
import { StepFrame } from './StepFrame.tsx';
import type { StepProps } from './Welcome.tsx';

/** Shows what is in this computer and says what can run on it. */
export function HardwareStep({ onNext, onBack }: StepProps) {
  const { t } = useTranslation('welcome');
  const { data, error, isPending, refetch } = useAnswer(api.node.hardware.queryOptions());
  return (
    <StepFrame
      title={t('hardware.title')}
      intro={t('hardware.intro')}
      onBack={onBack}
      actions={<Button onClick={onNext}>{t('next')}</Button>}
    >
      <Stack gap="lg">
        {isPending && <Looking />}
        <ErrorNote error={error} onRetry={refetch} />
        {data && <HardwareTable hardware={data} />}
        <WhatRuns />
      </Stack>
    </StepFrame>
  );
}

function Looking() {
  const { t } = useTranslation('welcome');
  return (
    <Group role="status">
      <Loader size="sm" aria-hidden />
      <Text>{t('hardware.looking')}</Text>
    </Group>
  );
}

/** The ablest model that runs well here, in a sentence. */
function WhatRuns() {
  const { t } = useTranslation('welcome');
  const format = useFormat();
  const { data } = useAnswer(api.models.recommend.queryOptions({ input: { use: 'chat' } }));
  if (!data) return null;
  const [best] = data;
  return (
    <Alert icon={<IconBolt aria-hidden />} color={best ? 'green' : 'yellow'} role="status">
      {best?.fit
        ? t('hardware.runs', {
            billions: format.number(best.parameters / 1e9, 1),
            speed: t(`speed.${best.fit.speed.class}`),
            model: best.title,
          })
        : t('hardware.runsNothing')}
    </Alert>
  );
}
