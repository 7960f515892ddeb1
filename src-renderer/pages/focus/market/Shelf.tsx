import { Box, Group, NativeSelect } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lengthText } from '../../../../src-preload/contract/length-text.ts';
import type { MarketShelf, MarketVideo, TradeState } from '../../../../src-preload/contract/trade.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Note } from '../../../components/Note.tsx';
import { ListAndDetails } from '../../../components/page/ListAndDetails.tsx';
import { PickRow } from '../../../components/page/PickRow.tsx';
import { SearchField } from '../../../components/page/SearchField.tsx';
import { TableSkeleton } from '../../../components/page/TableSkeleton.tsx';
import classes from '../../../components/page/table.module.css';
import { useFormat } from '../../../i18n/format.ts';
import { VideoInspector } from './VideoInspector.tsx';

/** A market gives its list a few times a minute. */
const LOOK_AGAIN_MS = 30_000;
const KINDS = ['user', 'boosted', 'marketplace'] as const;

/** What may be bought now, with everything about one of them. */
export function Shelf({ state, onBought }: { state: TradeState; onBought: () => void }) {
  const { t } = useTranslation('trade');
  const [text, setText] = useState('');
  const [kind, setKind] = useState('');
  const [selected, setSelected] = useState<string>();
  const { data, error, refetch } = useAnswer(
    api.trade.list.queryOptions({ refetchInterval: LOOK_AGAIN_MS, staleTime: LOOK_AGAIN_MS, retry: false }),
  );
  const videos = (data?.videos ?? []).filter((one) => fits(one, text, kind));
  return (
    <ListAndDetails
      title={t('video')}
      rows={videos}
      keyOf={({ id }) => id}
      selected={selected}
      onSelect={setSelected}
      details={(video) => <VideoInspector key={video.id} video={video} cap={state.cap} onBought={onBought} />}
    >
      {(shown, select) => (
        <>
          <Box className={classes.pad} py="md">
            {data && <Standing shelf={data} />}
            <Group gap="sm" align="flex-end">
              <SearchField label={t('search')} value={text} onChange={setText} />
              <NativeSelect
                aria-label={t('kind.title')}
                value={kind}
                onChange={(event) => setKind(event.currentTarget.value)}
                data={[
                  { value: '', label: t('kind.all') },
                  ...KINDS.map((value) => ({ value, label: t(`kind.${value}`) })),
                ]}
              />
            </Group>
          </Box>
          {error !== null && (
            <Box className={classes.pad} pb="md">
              <ErrorNote error={error} onRetry={() => void refetch()} />
            </Box>
          )}
          {!data && error === null && <TableSkeleton rows={6} />}
          {videos.length > 0 && <VideoTable videos={videos} selected={shown} onSelect={select} />}
          {data && videos.length === 0 && (
            <Box className={classes.pad} pb="md">
              <EmptyState title={t(data.videos.length === 0 ? 'empty.videos' : 'empty.noMatch')}>
                {data.videos.length === 0 ? t('empty.videosHint') : undefined}
              </EmptyState>
            </Box>
          )}
        </>
      )}
    </ListAndDetails>
  );
}

function fits({ title, description, kind: its }: MarketVideo, text: string, kind: string): boolean {
  const words = `${title}\n${description}`.toLowerCase();
  return words.includes(text.trim().toLowerCase()) && (kind === '' || its === kind);
}

/** Why the market sells nothing now. */
function Standing({ shelf: { stats } }: { shelf: MarketShelf }) {
  const { t } = useTranslation('trade');
  const format = useFormat();
  const { bannedUntil } = stats.own;
  if (bannedUntil !== null && bannedUntil > Date.now()) {
    return (
      <Box mb="sm">
        <Note state="error" icon={IconAlertTriangle} title={t('banned.title', { time: format.time(bannedUntil) })}>
          {t('banned.why')}
        </Note>
      </Box>
    );
  }
  if (stats.day.left !== '0') return null;
  return (
    <Box mb="sm">
      <Note state="pause" icon={IconAlertTriangle} title={t('budget.title')}>
        {t('budget.why', { spent: format.tao(stats.day.spent), budget: format.tao(stats.day.budget) })}
      </Note>
    </Box>
  );
}

interface VideoTableProps {
  videos: readonly MarketVideo[];
  selected: string | undefined;
  onSelect: (id: string) => void;
}

function VideoTable({ videos, selected, onSelect }: VideoTableProps) {
  const { t } = useTranslation('trade');
  const format = useFormat();
  return (
    <div className={classes.list}>
      <table className={classes.table} aria-label={t('part.videos')}>
        <thead>
          <tr>
            <th scope="col">{t('video')}</th>
            <th scope="col" className={`${classes.num} ${classes.wide}`}>
              {t('score')}
            </th>
            <th scope="col" className={`${classes.num} ${classes.wide}`}>
              {t('length')}
            </th>
            <th scope="col" className={classes.num}>
              TAO
            </th>
          </tr>
        </thead>
        <tbody>
          {videos.map(({ id, title, kind, score, durationMs, price }) => (
            <PickRow
              key={id}
              name={title}
              below={t(`kind.${kind}`)}
              selected={id === selected}
              onSelect={() => onSelect(id)}
              wide
            >
              <td className={`${classes.num} ${classes.wide}`}>{format.number(score, 2)}</td>
              <td className={`${classes.num} ${classes.wide}`}>{lengthText(durationMs)}</td>
              <td className={classes.num}>{format.taoExact(price)}</td>
            </PickRow>
          ))}
        </tbody>
      </table>
    </div>
  );
}
