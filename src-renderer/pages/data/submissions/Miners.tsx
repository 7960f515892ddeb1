import { Box, Group, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MinerOfClips } from '../../../../src-preload/contract/data.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { shortAddress } from '../../../components/chain/short-address.ts';
import { CopyIcon } from '../../../components/copy/CopyIcon.tsx';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Block, Facts, Inspector } from '../../../components/page/Inspector.tsx';
import { ListAndDetails } from '../../../components/page/ListAndDetails.tsx';
import { PickRow } from '../../../components/page/PickRow.tsx';
import { TableSkeleton } from '../../../components/page/TableSkeleton.tsx';
import tableClasses from '../../../components/page/table.module.css';
import { ScoreBar } from '../../../components/ScoreBar.tsx';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../data.module.css';
import { useWorth } from '../use-worth.ts';

const LOOK_AGAIN_MS = 15_000;

/** Who has handed in what to this node, the best first. @param tools above the list */
export function Miners({ tools }: { tools: ReactNode }) {
  const { t } = useTranslation('data');
  const [selected, setSelected] = useState<string>();
  const { data, error, refetch } = useAnswer(api.data.miners.queryOptions({ refetchInterval: LOOK_AGAIN_MS }));
  return (
    <ListAndDetails
      title={t('miner.title')}
      rows={data ?? []}
      keyOf={({ miner }) => miner}
      selected={selected}
      onSelect={setSelected}
      details={(miner) => <MinerInspector key={miner.miner} miner={miner} />}
    >
      {(shown, select) => (
        <>
          {tools}
          {error !== null && (
            <Box className={tableClasses.pad}>
              <ErrorNote error={error} onRetry={() => void refetch()} />
            </Box>
          )}
          {!data && error === null && <TableSkeleton rows={6} />}
          {data && data.length > 0 && <MinerTable miners={data} selected={shown} onSelect={select} />}
          {data?.length === 0 && (
            <Box className={tableClasses.pad}>
              <EmptyState title={t('miner.none')}>
                <Text size="sm" maw={560}>
                  {t('miner.noneMeans')}
                </Text>
              </EmptyState>
            </Box>
          )}
        </>
      )}
    </ListAndDetails>
  );
}

interface MinerTableProps {
  miners: readonly MinerOfClips[];
  selected: string | undefined;
  onSelect: (miner: string) => void;
}

function MinerTable({ miners, selected, onSelect }: MinerTableProps) {
  const { t } = useTranslation('data');
  const format = useFormat();
  const write = useWorth();
  return (
    <div className={tableClasses.list}>
      <table className={tableClasses.table} aria-label={t('miner.board')}>
        <thead>
          <tr>
            <th scope="col">{t('miner.title')}</th>
            <th scope="col" className={`${tableClasses.num} ${tableClasses.wide}`}>
              {t('jobs.clips')}
            </th>
            <th scope="col" className={`${tableClasses.num} ${tableClasses.wide}`}>
              {t('miner.lies')}
            </th>
            <th scope="col" className={tableClasses.num}>
              {t('miner.mean')}
            </th>
          </tr>
        </thead>
        <tbody>
          {miners.map(({ miner, submissions, clips, lies, meanScore }, place) => (
            <PickRow
              key={miner}
              name={`${place + 1}. ${shortAddress(miner)}`}
              title={miner}
              below={t('miner.submissions', { count: submissions, formatted: format.number(submissions) })}
              selected={miner === selected}
              onSelect={() => onSelect(miner)}
              fit="short"
              wide
            >
              <td className={`${tableClasses.num} ${tableClasses.wide}`}>{format.number(clips)}</td>
              <td className={`${tableClasses.num} ${tableClasses.wide}`}>{format.number(lies)}</td>
              <td className={tableClasses.num}>{write(meanScore)}</td>
            </PickRow>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function MinerInspector({ miner }: { miner: MinerOfClips }) {
  const { t } = useTranslation('data');
  const format = useFormat();
  const write = useWorth();
  const { submissions, clips, meanScore, lies, lastAt } = miner;
  return (
    <Inspector title={shortAddress(miner.miner)}>
      <Group wrap="nowrap" gap="xs" mt="xs">
        <Text size="sm" ff="monospace" className={classes.whole}>
          {miner.miner}
        </Text>
        <CopyIcon text={miner.miner} label={t('submission.copy')} />
      </Group>
      <Block title={t('miner.means')}>
        <ScoreBar name={t('score.part.descriptionRelevance')} value={miner.meanDescriptionRelevance} />
        <ScoreBar name={t('score.part.topicRelevance')} value={miner.meanTopicRelevance} />
        <ScoreBar name={t('score.part.novelty')} value={miner.meanNovelty} />
      </Block>
      <Block>
        <Facts
          facts={[
            [t('miner.mean'), write(meanScore)],
            [t('miner.count'), format.number(submissions)],
            [t('jobs.clips'), format.number(clips)],
            [t('miner.lies'), format.number(lies)],
            [t('miner.last'), format.time(lastAt)],
          ]}
        />
      </Block>
    </Inspector>
  );
}
