import { Box, Button, Group, SegmentedControl } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TradeState } from '../../../../src-preload/contract/trade.ts';
import { client } from '../../../api/client.ts';
import { useLiveValue } from '../../../api/live.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import tableClasses from '../../../components/page/table.module.css';
import { onWantedOffer } from '../../../state/wanted.ts';
import { DemoDialog } from './DemoDialog.tsx';
import { NotSet } from './NotSet.tsx';
import { OwnOffers, type OwnOffersProps } from './OwnOffers.tsx';
import { Purchases } from './Purchases.tsx';
import { Reviews } from './Reviews.tsx';
import { Shelf } from './Shelf.tsx';
import { Spending } from './Spending.tsx';

const PARTS = ['videos', 'purchases', 'offers', 'reviews'] as const;
type Part = (typeof PARTS)[number];

/** Videos that are for sale, those that were bought, and those that are offered from here; where this node serves a market, also what waits there for a person. */
export function Market() {
  const { t } = useTranslation('trade');
  const [part, setPart] = useState<Part>('videos');
  const [isTrying, setTrying] = useState(false);
  /** Id of the recording that is being offered; empty until one is chosen. */
  const [offering, setOffering] = useState<string>();
  const { value: state, error } = useLiveValue((signal) => client.trade.watch(undefined, { signal }));
  const { value: served } = useLiveValue((signal) => client.market.watch(undefined, { signal }));
  useEffect(
    () =>
      onWantedOffer((recording) => {
        setPart('offers');
        setOffering(recording);
      }),
    [],
  );
  const parts = PARTS.filter((one) => (one === 'reviews' ? served?.running : one === 'videos' || hasOrders(state)));
  const shown = parts.includes(part) ? part : 'videos';
  const isNew = shown === 'videos' && state?.market === null;
  return (
    <>
      <Box className={tableClasses.pad} pt="md">
        <Group justify="space-between" gap="sm">
          {parts.length > 1 && (
            <SegmentedControl
              aria-label={t('parts')}
              value={shown}
              onChange={(value) => setPart(value as Part)}
              data={parts.map((value) => ({ value, label: t(`part.${value}`) }))}
            />
          )}
          {state && !isNew && (
            <Button
              variant="default"
              ml="auto"
              leftSection={<IconPlayerPlay size={15} stroke={1.6} aria-hidden />}
              onClick={() => setTrying(true)}
            >
              {t('try.action')}
            </Button>
          )}
        </Group>
        {error !== undefined && <ErrorNote error={error} />}
        {state && <Spending state={state} />}
      </Box>
      {state && isNew && <NotSet onTry={() => setTrying(true)} />}
      {state && !isNew && (
        <Chosen
          part={shown}
          state={state}
          onBought={() => setPart('purchases')}
          offering={offering}
          onOffering={setOffering}
        />
      )}
      {isTrying && <DemoDialog onClose={() => setTrying(false)} />}
    </>
  );
}

/** Whether there may be anything to see of buying and selling: where no market is set, only what is there from before. */
function hasOrders(state: TradeState | undefined): boolean {
  return state !== undefined && (state.market !== null || state.purchases.length > 0 || state.offers.length > 0);
}

interface ChosenProps extends OwnOffersProps {
  part: Part;
  onBought: () => void;
}

function Chosen({ part, onBought, ...offers }: ChosenProps) {
  const { state } = offers;
  if (part === 'purchases') return <Purchases purchases={state.purchases} />;
  if (part === 'reviews') return <Reviews />;
  if (part === 'offers') return <OwnOffers {...offers} />;
  return <Shelf state={state} onBought={onBought} />;
}
