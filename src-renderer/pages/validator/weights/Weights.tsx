import { Box } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { PageBody } from '../../../components/page/PageBody.tsx';
import { Pager } from '../../../components/page/Pager.tsx';
import { PageSkeleton } from '../../../components/page/PageSkeleton.tsx';
import { TableSkeleton } from '../../../components/page/TableSkeleton.tsx';
import { usePages } from '../../../components/page/use-pages.ts';
import { Section } from '../../../components/Section.tsx';
import { NobodyYet } from '../leaderboard/NobodyYet.tsx';
import type { LiveRun } from '../run/use-run.ts';
import { useSetRules, useWeights, type Weighing } from '../use-weights.ts';
import { OnChain } from './OnChain.tsx';
import { isSame, RulesForm, TriedRules } from './RulesForm.tsx';
import { WeightTable } from './WeightTable.tsx';

const ROWS = 50;

/** What the results come to as weights, by the rules that are set, or by others to see what these would change. */
export function Weights({ run }: { run: LiveRun }) {
  const { t } = useTranslation('validator');
  const set = useSetRules();
  const [tried, setTried] = useState<Weighing>();
  const rules = tried ?? set?.rules;
  const { data, error, refetch } = useWeights(rules, { days: set?.days, run });
  const { rows, ...pager } = usePages(data?.miners ?? [], ROWS);
  const weighty = data?.miners.filter(({ weight }) => weight > 0).length ?? 0;
  if (!set || !rules) return <PageSkeleton />;
  return (
    <PageBody>
      <Section
        title={t('weights.rules')}
        description={t('weights.rulesHelp', { days: set.days, count: set.days })}
        aside={tried && <TriedRules rules={tried} onDone={() => setTried(undefined)} />}
      >
        <RulesForm rules={rules} onTry={(wanted) => setTried(isSame(wanted, set.rules) ? undefined : wanted)} />
      </Section>
      <Section title={t('weights.title')} description={t('weights.what')}>
        <ErrorNote error={error} onRetry={() => void refetch()} />
        {!data && error === null && <TableSkeleton rows={5} />}
        {data?.miners.length === 0 && <NobodyYet />}
        {rows.length > 0 && data && <WeightTable miners={rows} tasks={data.environments} burn={rules.burn} />}
        <Box mt="sm">
          <Pager {...pager} label={t('board.pages')} />
        </Box>
      </Section>
      <OnChain run={run} miners={weighty} isTried={tried !== undefined} />
    </PageBody>
  );
}
