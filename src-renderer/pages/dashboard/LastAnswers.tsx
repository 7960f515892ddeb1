import { Button, Skeleton, Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ServedRequest } from '../../../src-preload/contract/credits.ts';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorNote } from '../../components/errors/ErrorNote.tsx';
import { Section } from '../../components/Section.tsx';
import { useFormat } from '../../i18n/format.ts';
import { useNode } from '../../state/node.ts';

const SHOWN = 5;

/** What this node answered last: figures only, for the texts are kept nowhere. */
export function LastAnswers() {
  const { t } = useTranslation(['dashboard', 'common']);
  const peers = useNode(({ status }) => status?.peers ?? 0);
  const { data, error, refetch } = useAnswer(api.credits.served.queryOptions({ input: { limit: SHOWN } }));
  const all = (
    <Button component="a" href="#/earnings/ledger" size="xs" variant="subtle" color="gray" mr={-10}>
      {t('answers.all')}
    </Button>
  );
  return (
    <Section title={t('answers.title')} aside={data && data.length > 0 && all}>
      <ErrorNote error={error} onRetry={refetch} />
      {!data && !error && <Skeleton height={220} aria-hidden />}
      {data?.length === 0 && (
        <EmptyState title={t('answers.none')}>
          <span>
            {t('answers.noneYet')} {t('answers.connected', { count: peers })}
          </span>
          <Button component="a" href="#/playground" size="xs" variant="default">
            {t('answers.ask')}
          </Button>
        </EmptyState>
      )}
      {data && data.length > 0 && <Answers answers={data} />}
    </Section>
  );
}

function Answers({ answers }: { answers: ServedRequest[] }) {
  const { t } = useTranslation('dashboard');
  return (
    <Table aria-label={t('answers.title')} horizontalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th pl={0}>{t('answers.time')}</Table.Th>
          <Table.Th ta="right">{t('answers.tokens')}</Table.Th>
          <Table.Th ta="right">{t('answers.took')}</Table.Th>
          <Table.Th ta="right" pr={0}>
            {t('answers.points')}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {answers.map((answer) => (
          <Answer key={answer.requestId} answer={answer} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Answer({
  answer: { at, model, promptTokens, completionTokens, processingMs, points },
}: {
  answer: ServedRequest;
}) {
  const format = useFormat();
  const tokens = [promptTokens, completionTokens].filter((count) => count !== undefined);
  return (
    <Table.Tr title={model}>
      <Table.Td pl={0} className="num" c="var(--q-ink-2)">
        {format.hours(at)}
      </Table.Td>
      <Table.Td ta="right" className="num">
        {tokens.map((count) => format.number(count)).join(' → ')}
      </Table.Td>
      <Table.Td ta="right" className="num" c="var(--q-ink-2)">
        {format.duration(processingMs)}
      </Table.Td>
      <Table.Td ta="right" pr={0} className="num" c={points > 0 ? 'var(--q-ore)' : undefined} fw={550}>
        {format.signed(points)}
      </Table.Td>
    </Table.Tr>
  );
}
