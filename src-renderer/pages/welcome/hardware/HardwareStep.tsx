import { Button, Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { WhatFits } from '../model/WhatFits.tsx';
import { StepFrame } from '../StepFrame.tsx';
import type { StepProps } from '../Welcome.tsx';
import classes from '../welcome.module.css';
import { HardwareFacts } from './HardwareFacts.tsx';

/** Shows what is in this computer and what can run on it. */
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
      {isPending && (
        <div role="status">
          <p className={classes.small}>{t('hardware.looking')}</p>
          <Skeleton h={144} mt={8} />
        </div>
      )}
      <ErrorNote error={error} onRetry={refetch} />
      {data && <HardwareFacts hardware={data} />}
      <WhatFits hardware={data} />
    </StepFrame>
  );
}
