import { Box, SegmentedControl, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { taskName } from '../../../../src-preload/contract/task-name.ts';
import type { WeightsView } from '../../../../src-preload/contract/validator.ts';
import { shareAxis } from '../../../components/chart/share-axis.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { ListAndDetails } from '../../../components/page/ListAndDetails.tsx';
import { Pager } from '../../../components/page/Pager.tsx';
import { TableSkeleton } from '../../../components/page/TableSkeleton.tsx';
import tableClasses from '../../../components/page/table.module.css';
import { usePages } from '../../../components/page/use-pages.ts';
import { RunBar } from '../run/RunBar.tsx';
import type { LiveRun } from '../run/use-run.ts';
import { useSetRules, useWeights } from '../use-weights.ts';
import classes from '../validator.module.css';
import { LeaderboardFigures } from './LeaderboardFigures.tsx';
import { LeaderboardTable, type Placed } from './LeaderboardTable.tsx';
import { NobodyYet, Provisional } from './NobodyYet.tsx';
import { measured } from './standing.ts';
import { useTimeToGo } from './use-time-to-go.ts';
import { WhyInspector } from './WhyInspector.tsx';

const ROWS = 50;
const ALL = '*';

/** Who answers best and why, by the rules that are set. */
export function Leaderboard({ run }: { run: LiveRun }) {
  const { t } = useTranslation('validator');
  const set = useSetRules();
  const { data, error, refetch } = useWeights(set?.rules, { days: set?.days, run });
  const timeToGo = useTimeToGo(run, data);
  const [task, setTask] = useState<string>();
  const [selected, setSelected] = useState<string>();
  const { rows, ...pager } = usePages(placed(data), ROWS);
  const tasks = data?.environments ?? [];
  const shown = task !== undefined && tasks.includes(task) ? task : undefined;
  const axis = shareAxis(data?.miners.flatMap((miner) => measured(miner, shown) ?? []) ?? []);
  const asked = new Map(run.state?.miners.map((miner) => [miner.miner, miner]));
  const isNew = data?.miners.length === 0 && !run.isRunning;
  const somebodyCounts = data?.miners.some(({ isEligible }) => isEligible) ?? false;
  return (
    <ListAndDetails
      title={t('why.sheet')}
      rows={rows}
      keyOf={({ miner }) => miner}
      selected={selected}
      onSelect={setSelected}
      details={(miner) => (
        <WhyInspector
          miner={miner}
          rival={data?.miners.find((one) => one.miner === miner.rival?.miner)}
          tasks={tasks}
          somebodyCounts={somebodyCounts}
          timeToGo={timeToGo(miner)}
        />
      )}
    >
      {(current, select) => (
        <>
          <RunBar run={run} primary={!isNew} />
          {!isNew && <LeaderboardFigures run={run} weights={data} />}
          <div className={isNew ? undefined : classes.ruled}>
            {error !== null && (
              <Box className={tableClasses.pad} pb={0}>
                <ErrorNote error={error} onRetry={() => void refetch()} />
              </Box>
            )}
            {!data && error === null && <TableSkeleton rows={6} />}
            {data?.miners.length === 0 && <NobodyYet />}
            {rows.length > 0 && (
              <>
                <div className={classes.head}>
                  <Title order={3}>{t('place.leaderboard')}</Title>
                  <span className={tableClasses.beside}>{t('board.what')}</span>
                  <span className={tableClasses.space} />
                  {tasks.length > 1 && (
                    <SegmentedControl
                      aria-label={t('board.task')}
                      value={shown ?? ALL}
                      onChange={(value) => setTask(value === ALL ? undefined : value)}
                      data={[
                        { value: ALL, label: t('board.allTasks') },
                        ...tasks.map((name) => ({ value: name, label: taskName(name) })),
                      ]}
                    />
                  )}
                </div>
                {!somebodyCounts && <Provisional rules={set?.rules} />}
                <LeaderboardTable
                  miners={rows}
                  tasks={tasks}
                  task={shown}
                  axis={axis}
                  asked={asked}
                  timeToGo={timeToGo}
                  selected={current}
                  onSelect={select}
                />
                <Box className={tableClasses.pad}>
                  <Pager {...pager} label={t('board.pages')} />
                </Box>
              </>
            )}
          </div>
        </>
      )}
    </ListAndDetails>
  );
}

/** Those that take part have their place; the others have none yet. */
function placed(weights: WeightsView | undefined): Placed[] {
  let rank = 0;
  return weights?.miners.map((miner) => ({ ...miner, rank: miner.isEligible ? ++rank : undefined })) ?? [];
}
