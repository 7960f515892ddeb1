import { Box, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { taskName } from '../../../../src-preload/contract/task-name.ts';
import type { PracticeTally } from '../../../../src-preload/contract/validator.ts';
import { IntervalAxis, IntervalBar } from '../../../components/chart/IntervalBar.tsx';
import { shareAxis } from '../../../components/chart/share-axis.ts';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';
import { OutcomeChip } from '../challenges/ResultTable.tsx';
import classes from '../validator.module.css';
import type { Judged } from './practice.ts';

const WHOLE = shareAxis([{ low: 0, high: 1 }]);

/** How many answers of each task are right, between which shares the true one lies, and what was judged last. */
export function PracticeResults({ tallies, last }: { tallies: readonly PracticeTally[]; last: readonly Judged[] }) {
  const { t } = useTranslation('validator');
  const format = useFormat();
  if (tallies.length === 0) return null;
  return (
    <>
      <div className={classes.scroll}>
        <Table aria-label={t('try.outcome')} maw={720}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col" pl={0}>
                {t('task')}
              </Table.Th>
              <Table.Th scope="col" aria-label={t('board.solved')}>
                <div className={classes.bar}>
                  <IntervalAxis axis={WHOLE} say={(share) => format.percent(share)} />
                </div>
              </Table.Th>
              <Table.Th scope="col" ta="right">
                {t('try.right')}
              </Table.Th>
              <Table.Th scope="col" ta="right">
                {t('try.median')}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {tallies.map((tally) => (
              <TallyRow key={`${tally.environment} ${tally.level}`} tally={tally} />
            ))}
          </Table.Tbody>
        </Table>
      </div>
      <Box component="ul" m={0} mt={20} p={0} maw={720} style={{ listStyle: 'none' }} aria-label={t('try.last')}>
        {last.map((judged) => (
          <Box component="li" key={judged.id} mb={8} display="flex" style={{ gap: 10, alignItems: 'center' }}>
            <OutcomeChip result={{ success: judged.ms !== null, score: judged.score }} />
            <Text size="sm" style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
              {taskName(judged.environment)}: {worded(judged, 'reason')}
            </Text>
          </Box>
        ))}
      </Box>
    </>
  );
}

function TallyRow({ tally }: { tally: PracticeTally }) {
  const { t } = useTranslation('validator');
  const format = useFormat();
  const { environment, asked, score, low, high, medianMs } = tally;
  const mean = asked > 0 ? score / asked : 0;
  const figures = { mean: format.percent(mean), low: format.percent(low), high: format.percent(high) };
  return (
    <Table.Tr>
      <Table.Th scope="row" pl={0} fw={550} c="var(--q-ink)" fz="sm">
        {taskName(environment)}
      </Table.Th>
      <Table.Td>
        <div className={classes.bar}>
          <IntervalBar
            label={t('board.between', figures)}
            shares={[{ mean, low, high, colour: 'var(--q-c1)' }]}
            axis={WHOLE}
          />
        </div>
      </Table.Td>
      <Table.Td ta="right" className="num">
        {t('try.rightOf', { right: format.number(score, 1), asked: format.number(asked) })}
      </Table.Td>
      <Table.Td ta="right" className="num">
        {medianMs > 0 ? format.duration(medianMs) : '–'}
      </Table.Td>
    </Table.Tr>
  );
}
