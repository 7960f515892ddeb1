import { Box } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { FleetNode, NodeSummary } from '../../../../src-preload/contract/fleet.ts';
import { Figure, Figures } from '../../../components/Figures.tsx';
import classes from '../../../components/page/table.module.css';
import { useFormat } from '../../../i18n/format.ts';

/** What all of them bring together. @param nodes undefined while they are on their way */
export function NodesFigures({ nodes }: { nodes: readonly FleetNode[] | undefined }) {
  const { t } = useTranslation('network');
  const format = useFormat();
  const sum = (of: (summary: NodeSummary) => number, some = nodes) =>
    some?.reduce((total, { summary }) => total + (summary ? of(summary) : 0), 0);
  const online = nodes?.filter((node) => node.online);
  const mining = online?.filter(({ summary }) => summary?.standing === 'mining').length ?? 0;
  const hasSpeed = online?.some(({ summary }) => summary?.tokensPerSecond !== undefined);
  const speed = sum(({ tokensPerSecond = 0 }) => tokensPerSecond, online);
  const number = (value: number | undefined) => (value === undefined ? undefined : format.number(value));
  return (
    <Box className={classes.pad} pt={{ base: 16, sm: 24 }} pb={12}>
      <Figures>
        <Figure
          label={t('mine.today')}
          value={number(sum(({ earned }) => earned.today))}
          note={t('mine.points')}
          earned
        />
        <Figure label={t('mine.week')} value={number(sum(({ earned }) => earned.week))} note={t('mine.points')} />
        <Figure
          label={t('mine.speed')}
          value={speed !== undefined ? (hasSpeed ? format.number(speed, speed < 10 ? 1 : 0) : '–') : undefined}
          note={t('mine.perSecond')}
        />
        <Figure
          label={t('mine.count')}
          value={nodes && format.number(nodes.length)}
          note={
            mining > 0
              ? t('mine.mining', { count: mining, formatted: format.number(mining) })
              : t('mine.online', { online: format.number(online?.length ?? 0), all: format.number(nodes?.length ?? 0) })
          }
        />
      </Figures>
    </Box>
  );
}
