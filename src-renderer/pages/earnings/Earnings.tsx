import { Title, VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { usePlace } from '../../components/page/place.ts';
import { useLedgerNews } from '../../state/ledger-news.ts';
import { ByModel } from './ByModel.tsx';
import { Credits } from './credits/Credits.tsx';
import { Ledger } from './ledger/Ledger.tsx';
import { Overview } from './overview/Overview.tsx';

/** What this node has earned, who owes whom, and the book that proves it. */
export function Earnings() {
  const { t } = useTranslation('earnings');
  const place = usePlace('earnings');
  useLedgerNews();
  return (
    <>
      <VisuallyHidden>
        <Title order={2}>{t(`place.${place}`)}</Title>
      </VisuallyHidden>
      {place === 'overview' && <Overview />}
      {place === 'models' && <ByModel />}
      {place === 'credits' && <Credits />}
      {place === 'ledger' && <Ledger />}
    </>
  );
}
