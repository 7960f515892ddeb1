import { Skeleton, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { PointSources as Sums } from '../../../../src-preload/contract/credits.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { SERIES_COLOURS } from '../../../components/chart/colours.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Meter } from '../../../components/Meter.tsx';
import { Section } from '../../../components/Section.tsx';
import { SourceLine } from './SourceLine.tsx';
import { type Source, sourceShares } from './source-shares.ts';

const COLOURS: Record<Source, string> = {
  speed: SERIES_COLOURS[0],
  complexity: SERIES_COLOURS[2],
  quality: SERIES_COLOURS[3],
  bonuses: SERIES_COLOURS[1],
};

/** Where the points come from, and what did not count. */
export function PointSources() {
  const { t } = useTranslation('earnings');
  const { data, error, refetch } = useAnswer(api.credits.sources.queryOptions());
  return (
    <Section title={t('sources.title')} description={t('sources.description')}>
      <ErrorNote error={data ? undefined : error} onRetry={() => void refetch()} />
      {!data && !error && <Skeleton h={220} aria-hidden />}
      {data && <Sources sums={data} />}
    </Section>
  );
}

function Sources({ sums }: { sums: Sums }) {
  const { t } = useTranslation('earnings');
  const { penalties, uncounted } = sums;
  const shares = sourceShares(sums);
  const lost = penalties !== 0 || uncounted.pairCap + uncounted.tooOld > 0;
  if (shares.every(({ points }) => points === 0) && !lost) {
    return <EmptyState title={t('sources.none')}>{t('sources.noneHint')}</EmptyState>;
  }
  return (
    <Stack gap="md">
      <Meter height={8} parts={shares.map(({ source, share }) => ({ share, colour: COLOURS[source] }))} />
      <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {shares.map(({ source, points, share }) => (
          <SourceLine key={source} name={source} points={points} share={share} colour={COLOURS[source]} />
        ))}
        <SourceLine name="penalties" points={penalties} />
      </Stack>
      <Uncounted {...uncounted} />
    </Stack>
  );
}

function Uncounted({ pairCap, tooOld }: Sums['uncounted']) {
  const { t } = useTranslation('earnings');
  if (pairCap + tooOld === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('sources.allCounted')}
      </Text>
    );
  }
  return (
    <Stack gap="sm">
      <Text size="xs" fw={550} c="dimmed">
        {t('sources.uncounted')}
      </Text>
      <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {pairCap > 0 && <SourceLine name="pairCap" points={pairCap} />}
        {tooOld > 0 && <SourceLine name="tooOld" points={tooOld} />}
      </Stack>
    </Stack>
  );
}
