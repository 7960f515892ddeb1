import { Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { EvaluationView } from '../../../../src-preload/contract/evaluation.ts';
import type { EvaluationScore } from '../../../../src-preload/contract/evaluation-scores.ts';
import { api } from '../../../api/client.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { TableSkeleton } from '../../../components/page/TableSkeleton.tsx';
import { Section } from '../../../components/Section.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';

/** They are made of all answers, so not with each new one. */
const LOOK_AGAIN_MS = 10_000;

/** QUASAR’s scores, each with what it is and what it came from. */
export function Scores({ evaluation: { id, state } }: { evaluation: Pick<EvaluationView, 'id' | 'state'> }) {
  const { t } = useTranslation('evaluation');
  const isRunning = state === 'running';
  const { data, error, refetch } = useQuery(
    api.evaluation.scores.queryOptions({
      input: { id },
      queryKey: [...api.evaluation.scores.queryKey({ input: { id } }), isRunning],
      ...(isRunning && { refetchInterval: LOOK_AGAIN_MS }),
    }),
  );
  return (
    <Section title={t('scores.title')} description={t('scores.means')}>
      {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {!data && !error && <TableSkeleton rows={9} />}
      {data && <ScoreTable scores={data} />}
    </Section>
  );
}

function ScoreTable({ scores }: { scores: readonly EvaluationScore[] }) {
  const { t } = useTranslation('evaluation');
  const format = useFormat();
  const shown = ({ score, value }: EvaluationScore) => {
    if (value === null)
      return (
        <Text c="dimmed" size="sm">
          {t('scores.none')}
        </Text>
      );
    return score === 'speed' ? `${format.number(value, 1)} ${t('scores.perSecond')}` : format.percent(value);
  };
  return (
    <Table aria-label={t('scores.title')} highlightOnHover={false} verticalSpacing={8}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{t('scores.score')}</Table.Th>
          <Table.Th scope="col" ta="right">
            {t('scores.value')}
          </Table.Th>
          <Table.Th scope="col">{t('scores.is')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {scores.map((one) => (
          <Table.Tr key={one.score}>
            <Table.Th scope="row">{worded(one.name, 'text')}</Table.Th>
            <Table.Td ta="right" className="num">
              {shown(one)}
            </Table.Td>
            <Table.Td>
              {worded(one.is, 'text')}
              <Text c="dimmed" size="sm">
                {worded(one.from, 'text')}
              </Text>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
