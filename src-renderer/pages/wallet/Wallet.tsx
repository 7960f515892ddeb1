import { Title, VisuallyHidden } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { ErrorNote } from '../../components/errors/ErrorNote.tsx';
import { PageBody } from '../../components/page/PageBody.tsx';
import { PageSkeleton } from '../../components/page/PageSkeleton.tsx';
import { usePlace } from '../../components/page/place.ts';
import { onWantedAction } from '../../state/wanted.ts';
import { Addresses } from './addresses/Addresses.tsx';
import { Balance } from './balance/Balance.tsx';
import { Keys } from './keys/Keys.tsx';
import { NewKey } from './keys/NewKey.tsx';
import { NoWallet } from './NoWallet.tsx';

/** Keys of Bittensor on this computer, what they hold, and what is done with it. */
export function Wallet() {
  const { t } = useTranslation('wallet');
  const place = usePlace('wallet');
  const { data, error, refetch } = useAnswer(api.wallet.list.queryOptions());
  const isEmpty = data?.wallets.length === 0;
  const [way, setWay] = useState<'create' | 'bring'>();
  const mayAsk = data?.confidential ?? false;
  useEffect(() => onWantedAction('createKey', () => mayAsk && setWay('create')), [mayAsk]);
  useEffect(() => onWantedAction('bringKey', () => mayAsk && setWay('bring')), [mayAsk]);
  return (
    <>
      <VisuallyHidden>
        <Title order={2}>{t(`place.${place}`)}</Title>
      </VisuallyHidden>
      {!data && !error && <PageSkeleton />}
      {!data && error && (
        <PageBody>
          <ErrorNote error={error} onRetry={() => void refetch()} />
        </PageBody>
      )}
      {data && isEmpty && <NoWallet list={data} onNew={setWay} />}
      {data && !isEmpty && place === 'balance' && <Balance list={data} />}
      {data && !isEmpty && place === 'addresses' && <Addresses list={data} />}
      {data && !isEmpty && place === 'keys' && <Keys list={data} onNew={setWay} />}
      {/* Here, for it goes on when the first wallet takes the place of none. */}
      {data && way && <NewKey way={way} list={data} onClose={() => setWay(undefined)} />}
    </>
  );
}
