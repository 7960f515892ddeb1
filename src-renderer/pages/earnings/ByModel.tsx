import { Box, Skeleton, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ModelStatistics } from '../../../src-preload/contract/credits.ts';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorNote } from '../../components/errors/ErrorNote.tsx';
import { Meter } from '../../components/Meter.tsx';
import { PageBody } from '../../components/page/PageBody.tsx';
import { Section } from '../../components/Section.tsx';
import { useTitles } from '../../components/useTitles.ts';
import { useFormat } from '../../i18n/format.ts';
import { modelTitle } from '../../i18n/model-title.ts';

type ModelRow = ModelStatistics['models'][number];

/** What each model has done for the mesh: what it brought, and how fast it was. */
export function ByModel() {
  const { t } = useTranslation('earnings');
  const format = useFormat();
  const { data, error, refetch } = useAnswer(api.credits.byModel.queryOptions());
  const basis =
    data?.since !== undefined &&
    data.since !== null &&
    t('models.basis', { count: data.answers, formatted: format.number(data.answers), day: format.day(data.since) });
  return (
    <PageBody>
      <Section title={t('models.title')} description={basis}>
        <ErrorNote error={data ? undefined : error} onRetry={() => void refetch()} />
        {!data && !error && <Skeleton h={160} aria-hidden />}
        {data?.models.length === 0 && <EmptyState title={t('models.none')}>{t('models.noneHint')}</EmptyState>}
        {data && data.models.length > 0 && <Models models={data.models} />}
      </Section>
    </PageBody>
  );
}

function Models({ models }: { models: readonly ModelRow[] }) {
  const { t } = useTranslation('earnings');
  const most = Math.max(1, ...models.map(({ points }) => points));
  return (
    <>
      <Table aria-label={t('models.title')} horizontalSpacing={10}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col" pl={0}>
              {t('models.model')}
            </Table.Th>
            <Table.Th scope="col" w="22%">
              {t('models.points')}
            </Table.Th>
            <Table.Th scope="col" ta="right">
              {t('models.perHour')}
            </Table.Th>
            {(['answers', 'tokens', 'speed', 'last'] as const).map((name) => (
              <Table.Th key={name} scope="col" ta="right" visibleFrom="sm">
                {t(`models.${name}`)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {models.map((model) => (
            <Row key={model.name} model={model} most={most} />
          ))}
        </Table.Tbody>
      </Table>
      <Beside />
      <Text size="xs" c="dimmed" mt={8}>
        {t('models.speedMeans')} {models.some(({ pointsPerHour }) => pointsPerHour === null) && t('models.unknownHour')}
      </Text>
    </>
  );
}

/** The points that no answer brought or took: with them the models come to all that was earned. */
function Beside() {
  const { t } = useTranslation('earnings');
  const format = useFormat();
  const { data } = useAnswer(api.credits.sources.queryOptions());
  const parts = (['bonuses', 'penalties'] as const).flatMap((source) => {
    const points = Math.abs(data?.[source] ?? 0);
    return points === 0 ? [] : [t(`models.${source}`, { count: points, formatted: format.number(points) })];
  });
  if (parts.length === 0) return null;
  return (
    <Text size="xs" c="dimmed" mt={8}>
      {parts.join(', ')}
    </Text>
  );
}

function Row({ model, most }: { model: ModelRow; most: number }) {
  const { t } = useTranslation('earnings');
  const format = useFormat();
  const { name, points, pointsPerHour, answers, tokens, tokensPerSecond, lastAt } = model;
  const titleOf = useTitles();
  const known = (value: number | null) => (value === null ? '–' : format.number(value, value < 100 ? 1 : 0));
  return (
    <Table.Tr>
      <Table.Th scope="row" pl={0} fz={13} fw={550} c="var(--q-ink)" style={{ overflowWrap: 'anywhere' }} title={name}>
        {titleOf(name)}
        <Text size="xs" c="dimmed">
          {modelTitle(name).quantisation}
          <Box component="span" hiddenFrom="sm" display="block">
            {t('models.brief', { count: answers, formatted: format.number(answers), speed: known(tokensPerSecond) })}
          </Box>
        </Text>
      </Table.Th>
      <Table.Td>
        <Box className="num" fw={550} c="var(--q-ore)" mb={4}>
          {format.number(points)}
        </Box>
        <Meter height={4} parts={[{ share: points / most, colour: 'var(--q-ore-fill)' }]} />
      </Table.Td>
      {[
        known(pointsPerHour),
        format.number(answers),
        format.number(tokens),
        known(tokensPerSecond),
        format.time(lastAt),
      ].map((text, place) => (
        <Table.Td key={place} ta="right" className="num" {...(place > 0 && { visibleFrom: 'sm' })}>
          {text}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}
