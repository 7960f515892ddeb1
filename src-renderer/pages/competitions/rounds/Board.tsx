import { Skeleton, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CompetitionBoard, CompetitionPlace } from '../../../../src-preload/contract/competition.ts';
import { WHOLE_POT } from '../../../../src-preload/contract/competition-numbers.ts';
import { Address } from '../../../components/chain/Address.tsx';
import { IntervalAxis, IntervalBar } from '../../../components/chart/IntervalBar.tsx';
import type { ShareAxis } from '../../../components/chart/share-axis.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import tableClasses from '../../../components/page/table.module.css';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../competitions.module.css';
import { ratioAxis } from './ratio-axis.ts';

/** Who is where, how fast, and how sure that is. @param hasEnded whether any round has */
export function Board({ board, hasEnded }: { board: CompetitionBoard | undefined; hasEnded: boolean }) {
  const { t } = useTranslation('competitions');
  const format = useFormat();
  if (!hasEnded) return <EmptyState title={t('board.none')}>{t('board.noneMeans')}</EmptyState>;
  if (!board) return <Skeleton h={120} />;
  if (board.state !== 'ended') return <EmptyState title={t('board.notYet')}>{t('board.noneMeans')}</EmptyState>;
  if (board.places.length === 0) return <EmptyState title={t('board.nobody')}>{t('board.nobodyMeans')}</EmptyState>;
  const axis = ratioAxis(board.places.map(({ ratio }) => ratio));
  return (
    <div className={tableClasses.list}>
      <table className={tableClasses.table} aria-label={t('board.title')}>
        <thead>
          <tr>
            <th scope="col">{t('board.place')}</th>
            <th scope="col">{t('board.who')}</th>
            <th scope="col" className={tableClasses.num}>
              {t('board.speed')}
            </th>
            <th scope="col" className={classes.bar}>
              <IntervalAxis axis={axis} say={(ratio) => `${format.number(ratio, 2)}×`} />
            </th>
            <th scope="col" className={`${tableClasses.num} ${tableClasses.wide}`}>
              {t('board.weighted')}
            </th>
            <th scope="col" className={tableClasses.num}>
              {t('board.share')}
            </th>
          </tr>
        </thead>
        <tbody>
          {board.places.map((place) => (
            <PlaceRow key={place.submission} place={place} axis={axis} />
          ))}
        </tbody>
      </table>
      <Text size="xs" c="dimmed" mt={8}>
        {unwon(board) > 0 && `${t('board.unclaimed', { share: format.percent(unwon(board), 1) })} `}
        {board.places.some(({ share }) => share === 0) && t('board.oneShare')}
      </Text>
    </div>
  );
}

/** Of the pot, 0 to 1. */
const unwon = ({ unclaimed, pot }: CompetitionBoard) => (pot > 0 ? unclaimed / pot : 0);

function PlaceRow({ place: one, axis }: { place: CompetitionPlace; axis: ShareAxis }) {
  const { t } = useTranslation('competitions');
  const format = useFormat();
  const { median, low, high } = one.ratio;
  const times = (ratio: number) => `${format.number(ratio, 2)}×`;
  const figures = { median: times(median), low: times(low), high: times(high) };
  return (
    <tr className={tableClasses.row}>
      <td>{format.number(one.place)}</td>
      <th scope="row">
        <Address address={one.hotkey} copy={false} />
        <span className={tableClasses.sub}>
          {one.isOwn && <span className={classes.own}>{t('board.own')} · </span>}
          {one.track === 'gpu' && `${t('board.onCard')} · `}
          {t('board.league', { formatted: format.number(one.league) })}
        </span>
      </th>
      <td className={tableClasses.num}>
        {figures.median}
        <span className={tableClasses.sub}>{t('board.within', figures)}</span>
      </td>
      <td className={classes.bar}>
        <IntervalBar
          label={t('board.interval', figures)}
          shares={[{ mean: median, low, high, colour: one.isOwn ? 'var(--q-c2)' : 'var(--q-c1)' }]}
          axis={axis}
        />
      </td>
      <td className={`${tableClasses.num} ${tableClasses.wide}`}>
        {format.number(one.weighted, 2)}
        <span className={tableClasses.sub}>
          {t('board.factor', { formatted: format.number(one.weighted / median, 2) })}
        </span>
      </td>
      <td className={tableClasses.num}>{one.share > 0 ? format.percent(one.share / WHOLE_POT, 1) : '–'}</td>
    </tr>
  );
}
