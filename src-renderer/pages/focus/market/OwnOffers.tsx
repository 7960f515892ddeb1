import { Box, Button, Group, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TradeState } from '../../../../src-preload/contract/trade.ts';
import { api } from '../../../api/client.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ListAndDetails } from '../../../components/page/ListAndDetails.tsx';
import { PickRow } from '../../../components/page/PickRow.tsx';
import classes from '../../../components/page/table.module.css';
import { ShownSoFar } from '../../../components/ShownSoFar.tsx';
import { StateChip } from '../../../components/StateChip.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { OfferDialog } from './OfferDialog.tsx';
import { looksOfOffer, OfferInspector } from './OfferInspector.tsx';
import { withOlder } from './with-older.ts';

export interface OwnOffersProps {
  state: TradeState;
  /** Id of the recording that is being offered, empty until one is chosen; undefined while none is. */
  offering: string | undefined;
  onOffering: (recording: string | undefined) => void;
}

/** What is offered from here, the newest first, with what came in for it. */
export function OwnOffers({ state: { offers: live, market, earned }, offering, onOffering }: OwnOffersProps) {
  const { t } = useTranslation('trade');
  const format = useFormat();
  const [selected, setSelected] = useState<string>();
  const found = useInfiniteQuery(
    api.trade.offers.infiniteOptions({
      input: (before: string | undefined) => ({ before }),
      initialPageParam: undefined,
      getNextPageParam: ({ offers: rows, more }) => (more ? rows.at(-1)?.id : undefined),
      queryKey: [...api.trade.offers.key(), live.length], // what is withdrawn before it was sent is gone
    }),
  );
  const offers = withOlder(live, found.data?.pages.flatMap((one) => one.offers) ?? []);
  return (
    <>
      <ListAndDetails
        title={t('offer.one')}
        rows={offers}
        keyOf={({ id }) => id}
        selected={selected}
        onSelect={setSelected}
        details={(offer) => <OfferInspector key={offer.id} offer={offer} />}
      >
        {(shown, select) => (
          <>
            <Box className={classes.pad} py="md">
              <Group justify="space-between" gap="sm">
                <Text size="sm" c="var(--q-ink-2)">
                  {t('offer.earned', {
                    settled: format.taoExact(earned.settled),
                    pending: format.taoExact(earned.pending),
                  })}
                </Text>
                <Button
                  size="xs"
                  disabled={!market}
                  leftSection={<IconPlus size={14} aria-hidden />}
                  onClick={() => onOffering('')}
                >
                  {t('offer.new')}
                </Button>
              </Group>
              {offers.length === 0 && (
                <EmptyState title={t('empty.offers')}>{t(market ? 'empty.offersHint' : 'notSet.hint')}</EmptyState>
              )}
            </Box>
            {offers.length > 0 && (
              <div className={classes.list}>
                <table className={classes.table} aria-label={t('part.offers')}>
                  <thead>
                    <tr>
                      <th scope="col">{t('video')}</th>
                      <th scope="col">{t('state')}</th>
                      <th scope="col" className={`${classes.num} ${classes.wide}`}>
                        {t('score')}
                      </th>
                      <th scope="col" className={classes.num}>
                        TAO
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {offers.map((offer) => (
                      <PickRow
                        key={offer.id}
                        name={offer.title}
                        below={format.time(offer.createdAt)}
                        selected={offer.id === shown}
                        onSelect={() => select(offer.id)}
                      >
                        <td>
                          <StateChip state={looksOfOffer(offer)}>
                            {t(`offerStep.${offer.owed.length > 0 ? 'owed' : offer.state}`)}
                          </StateChip>
                        </td>
                        <td className={`${classes.num} ${classes.wide}`}>
                          {offer.score === null ? '–' : format.number(offer.score, 2)}
                        </td>
                        <td className={classes.num}>{offer.price === null ? '–' : format.taoExact(offer.price)}</td>
                      </PickRow>
                    ))}
                  </tbody>
                </table>
              </div>
            )}
            {found.hasNextPage && (
              <ShownSoFar pages={found}>{t('shown', { formatted: format.number(offers.length) })}</ShownSoFar>
            )}
          </>
        )}
      </ListAndDetails>
      {market && offering !== undefined && <OfferDialog recording={offering} onClose={() => onOffering(undefined)} />}
    </>
  );
}
