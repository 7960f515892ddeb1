import { Pagination } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OfferedModel } from '../../../../src-preload/contract/models.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { LookAgain } from '../../../components/page/LookAgain.tsx';
import { TableSkeleton } from '../../../components/page/TableSkeleton.tsx';
import classes from '../../../components/page/table.module.css';
import { Section } from '../../../components/Section.tsx';
import { OfferRow } from './OfferRow.tsx';

/** Milliseconds to listen to other nodes before the answer. */
const LISTEN_MS = 2_000;
const PAGE_ROWS = 20;

/** What other nodes share, as far as they are in reach now. */
export function Offers() {
  const { t } = useTranslation('models');
  const { data, error, refetch, isFetching } = useAnswer(
    api.models.offers.queryOptions({ input: { waitMs: LISTEN_MS } }),
  );
  const look = <LookAgain label={t('offers.look')} isLooking={isFetching} look={() => void refetch()} />;
  return (
    <Section title={t('offers.title')} description={t('offers.intro')} aside={look}>
      <ErrorNote error={error} onRetry={refetch} />
      {!data && !error && <TableSkeleton rows={2} />}
      {data?.length === 0 && <EmptyState title={t('offers.nothing')}>{t('offers.nothingHelp')}</EmptyState>}
      {data && data.length > 0 && <OfferTable offers={data} />}
    </Section>
  );
}

function OfferTable({ offers }: { offers: OfferedModel[] }) {
  const { t } = useTranslation('models');
  const [wanted, setPage] = useState(1);
  const pages = Math.ceil(offers.length / PAGE_ROWS);
  const page = Math.min(wanted, pages);
  return (
    <>
      <div className={`${classes.list} ${classes.bleed}`}>
        <table className={classes.table} aria-label={t('offers.title')}>
          <thead>
            <tr>
              <th scope="col">{t('column.name')}</th>
              <th scope="col" className={`${classes.num} ${classes.wide}`}>
                {t('column.bytes')}
              </th>
              <th scope="col" className={classes.wide}>
                {t('column.licence')}
              </th>
              <th scope="col" className={`${classes.num} ${classes.wide}`}>
                {t('offers.seeders')}
              </th>
              <th scope="col">{t('offers.trust')}</th>
              <th scope="col" className={classes.action} aria-label={t('column.actions')} />
            </tr>
          </thead>
          <tbody>
            {offers.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS).map((offer) => (
              <OfferRow key={offer.sha256 + offer.name} offer={offer} />
            ))}
          </tbody>
        </table>
      </div>
      {pages > 1 && (
        <Pagination
          total={pages}
          value={page}
          onChange={setPage}
          getControlProps={(control) => ({ 'aria-label': t(`pages.${control}`) })}
          getItemProps={(number) => ({ 'aria-label': t('pages.page', { number }) })}
        />
      )}
    </>
  );
}
