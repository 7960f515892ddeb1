import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CreditSummary } from '../../../src-preload/contract/credits.ts';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { Figures as FigureRow, Figure as OneFigure } from '../../components/Figures.tsx';
import { useFormat } from '../../i18n/format.ts';

/** Points and credits of now, each with what it means. */
export function Figures() {
  const { data, error, refetch } = useAnswer(api.credits.summary.queryOptions());
  if (!data && error) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  return (
    <Stack gap="md">
      <FigureRow>
        <Figure of={data} name="earnedToday" />
        <Figure of={data} name="earnedWeek" />
        <Figure of={data} name="points" />
        <Figure of={data} name="served" />
      </FigureRow>
      <FigureRow>
        <Figure of={data} name="available" />
        <Figure of={data} name="owed" />
        <Figure of={data} name="spent" />
        <Figure of={data} name="reserved" />
      </FigureRow>
    </Stack>
  );
}

type FigureName = 'points' | 'served' | 'earnedWeek' | 'earnedToday' | 'available' | 'owed' | 'reserved' | 'spent';

function Figure({ of, name }: { of: CreditSummary | undefined; name: FigureName }) {
  const { t } = useTranslation('earnings');
  const format = useFormat();
  return (
    <OneFigure
      label={t(`figure.${name}.label`)}
      value={of && format.number(of[name])}
      note={t(`figure.${name}.note`)}
    />
  );
}
