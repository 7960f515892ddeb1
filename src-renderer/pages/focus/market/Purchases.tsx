import { Box } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OwnPurchase } from '../../../../src-preload/contract/trade.ts';
import { api } from '../../../api/client.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ListAndDetails } from '../../../components/page/ListAndDetails.tsx';
import { PickRow } from '../../../components/page/PickRow.tsx';
import classes from '../../../components/page/table.module.css';
import { ShownSoFar } from '../../../components/ShownSoFar.tsx';
import { StateChip } from '../../../components/StateChip.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { PURCHASE_LOOKS } from './looks.ts';
import { PurchaseInspector } from './PurchaseInspector.tsx';
import { withOlder } from './with-older.ts';

/** What was bought, the newest first, each with how far it is and its receipt. */
export function Purchases({ purchases: live }: { purchases: readonly OwnPurchase[] }) {
  const { t } = useTranslation('trade');
  const format = useFormat();
  const [selected, setSelected] = useState<string>();
  const found = useInfiniteQuery(
    api.trade.purchases.infiniteOptions({
      input: (before: string | undefined) => ({ before }),
      initialPageParam: undefined,
      getNextPageParam: ({ purchases: rows, more }) => (more ? rows.at(-1)?.id : undefined),
      queryKey: [...api.trade.purchases.key(), live.length], // what is over is no longer told of
    }),
  );
  const purchases = withOlder(live, found.data?.pages.flatMap((one) => one.purchases) ?? []);
  return (
    <ListAndDetails
      title={t('purchase')}
      rows={purchases}
      keyOf={({ id }) => id}
      selected={selected}
      onSelect={setSelected}
      details={(purchase) => <PurchaseInspector key={purchase.id} purchase={purchase} />}
    >
      {(shown, select) => (
        <Box pt="md">
          {purchases.length === 0 && (
            <Box className={classes.pad}>
              <EmptyState title={t('empty.purchases')}>{t('empty.purchasesHint')}</EmptyState>
            </Box>
          )}
          {purchases.length > 0 && (
            <div className={classes.list}>
              <table className={classes.table} aria-label={t('part.purchases')}>
                <thead>
                  <tr>
                    <th scope="col">{t('video')}</th>
                    <th scope="col">{t('state')}</th>
                    <th scope="col" className={classes.num}>
                      TAO
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {purchases.map(({ id, title, createdAt, state, price }) => (
                    <PickRow
                      key={id}
                      name={title}
                      below={format.time(createdAt)}
                      selected={id === shown}
                      onSelect={() => select(id)}
                    >
                      <td>
                        <StateChip state={PURCHASE_LOOKS[state]}>{t(`step.${state}`)}</StateChip>
                      </td>
                      <td className={classes.num}>{format.taoExact(price)}</td>
                    </PickRow>
                  ))}
                </tbody>
              </table>
            </div>
          )}
          {found.hasNextPage && (
            <ShownSoFar pages={found}>{t('shown', { formatted: format.number(purchases.length) })}</ShownSoFar>
          )}
        </Box>
      )}
    </ListAndDetails>
  );
}
