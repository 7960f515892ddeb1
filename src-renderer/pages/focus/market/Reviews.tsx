import { Box } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { ListAndDetails } from '../../../components/page/ListAndDetails.tsx';
import { PickRow } from '../../../components/page/PickRow.tsx';
import classes from '../../../components/page/table.module.css';
import { useFormat } from '../../../i18n/format.ts';
import { ReviewInspector } from './ReviewInspector.tsx';

const LOOK_MS = 10_000;

/** What waits for a person of the market that this node serves, the oldest first. */
export function Reviews() {
  const { t } = useTranslation('trade');
  const format = useFormat();
  const [selected, setSelected] = useState<string>();
  const { data: reviews = [], error } = useAnswer(api.market.reviews.queryOptions({ refetchInterval: LOOK_MS }));
  return (
    <ListAndDetails
      title={t('review.one')}
      rows={reviews}
      keyOf={({ id }) => id}
      selected={selected}
      onSelect={setSelected}
      details={(review) => <ReviewInspector key={review.id} review={review} />}
    >
      {(shown, select) => (
        <>
          <Box className={classes.pad} py="md">
            <ErrorNote error={error} />
            {reviews.length === 0 && !error && <EmptyState title={t('review.none')}>{t('review.noneHint')}</EmptyState>}
          </Box>
          {reviews.length > 0 && (
            <div className={classes.list}>
              <table className={classes.table} aria-label={t('part.reviews')}>
                <thead>
                  <tr>
                    <th scope="col">{t('video')}</th>
                    <th scope="col">{t('review.why')}</th>
                    <th scope="col" className={classes.num}>
                      {t('review.scores')}
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {reviews.map(({ id, title, kind, since, marketScore, sellerScore, appeal }) => (
                    <PickRow
                      key={id}
                      name={title}
                      below={format.time(since)}
                      selected={id === shown}
                      onSelect={() => select(id)}
                    >
                      <td>{t(appeal === null ? `kind.${kind}` : 'review.appeal')}</td>
                      <td className={classes.num}>
                        {format.number(marketScore, 2)} · {sellerScore === null ? '–' : format.number(sellerScore, 2)}
                      </td>
                    </PickRow>
                  ))}
                </tbody>
              </table>
            </div>
          )}
        </>
      )}
    </ListAndDetails>
  );
}
