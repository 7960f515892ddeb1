import { Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { SentCall } from '../../../../src-preload/contract/chain.ts';
import { Address } from '../../../components/chain/Address.tsx';
import { CallOutcome } from '../../../components/chain/CallProgress.tsx';
import { useCallWords } from '../../../components/chain/call-words.ts';
import { CopyIcon } from '../../../components/copy/CopyIcon.tsx';
import { Facts } from '../../../components/page/Inspector.tsx';
import { useFormat } from '../../../i18n/format.ts';

/** All that is known of a call. */
export function CallDetails({ call }: { call: SentCall }) {
  const { t } = useTranslation(['wallet', 'chain']);
  const format = useFormat();
  const words = useCallWords();
  return (
    <Stack>
      <Text fw={550}>{words.title(call)}</Text>
      <CallOutcome call={call} />
      <Facts
        facts={[
          [t('wallet:activity.when'), format.time(call.at)],
          [t('chain:call.network'), t(`chain:network.${call.network}`)],
          [t('chain:call.from'), <Address key="from" address={call.from} />],
          [t('chain:call.to'), call.to && <Address key="to" address={call.to} />],
          [t('chain:call.subnet'), call.netuid],
          [t('wallet:activity.moves'), call.moves !== '0' && `${format.taoExact(call.moves)} TAO`],
          [t('chain:call.fee'), `${format.taoExact(call.fee)} TAO`],
          [t('chain:call.block'), call.block !== null && format.number(call.block)],
          [
            t('chain:call.hash'),
            <span key="hash">
              <code>{`${call.hash.slice(0, 10)}…`}</code>
              <CopyIcon text={call.hash} label={t('chain:call.copyHash')} />
            </span>,
          ],
        ]}
      />
    </Stack>
  );
}
