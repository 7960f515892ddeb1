import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChainDraft } from '../../../../src-preload/contract/chain.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import type { OwnPurchase } from '../../../../src-preload/contract/trade.ts';
import { client } from '../../../api/client.ts';
import { useSecretly } from '../../../api/use-secretly.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { Address } from '../../../components/chain/Address.tsx';
import { CallDialog } from '../../../components/chain/CallDialog.tsx';
import { shortAddress } from '../../../components/chain/short-address.ts';
import { CopyIcon } from '../../../components/copy/CopyIcon.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Meter } from '../../../components/Meter.tsx';
import { Block, Facts, Inspector } from '../../../components/page/Inspector.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { PurchaseSteps } from './PurchaseSteps.tsx';
import { payOnMarket } from './pay-on-market.ts';

/** How far a purchase is, what can be done about it, and its receipt. */
export function PurchaseInspector({ purchase }: { purchase: OwnPurchase }) {
  const { t } = useTranslation('trade');
  const format = useFormat();
  const { id, title, state, error, bytes, received, price, from, to, call, lockedUntil, keptUntil, file } = purchase;
  return (
    <Inspector title={title} description={t(`stepHint.${state}`)}>
      <Block>
        <PurchaseSteps state={state} />
        {state === 'bought' && bytes !== null && (
          <Stack gap={4} mt="sm">
            <Meter parts={[{ share: received / bytes }]} />
            <Text size="xs">{t('received', { received: format.bytes(received), bytes: format.bytes(bytes) })}</Text>
          </Stack>
        )}
        {error && <ErrorNote error={new QuarryError(error)} />}
        <Actions id={id} title={title} state={state} hasError={error !== null} />
      </Block>
      <Block title={t('receipt')}>
        <Facts
          facts={[
            [t('price'), `${format.taoExact(price)} TAO`],
            [t('from'), from !== null && <Address key="from" address={from} />],
            [t('to'), to !== null && <Address key="to" address={to} />],
            [t('call'), call !== null && <CallHash key="call" hash={call.hash} />],
            [t('block'), call?.block != null && format.number(call.block)],
            [t('lockedUntil'), state === 'locked' && lockedUntil !== null && format.time(lockedUntil)],
            [t('keptUntil'), keptUntil !== null && state !== 'fetched' && format.time(keptUntil)],
            [t('market'), new URL(purchase.url).host],
          ]}
        />
        {file !== null && (
          <Text size="xs" c="var(--q-ink-2)" mt="sm" style={{ overflowWrap: 'anywhere' }}>
            {t('file', { file })}
          </Text>
        )}
      </Block>
    </Inspector>
  );
}

function CallHash({ hash }: { hash: string }) {
  const { t } = useTranslation('trade');
  return (
    <Group gap={4} justify="flex-end">
      <code>{shortAddress(hash)}</code>
      <CopyIcon text={hash} label={t('copyCall')} />
    </Group>
  );
}

type ActionsProps = Pick<OwnPurchase, 'id' | 'title' | 'state'> & { hasError: boolean };

function Actions({ id, title, state, hasError }: ActionsProps) {
  const { t } = useTranslation('trade');
  const [draft, setDraft] = useState<ChainDraft>();
  const [isReverting, setReverting] = useState(false);
  const [isDropping, setDropping] = useState(false);
  const drafting = useSecretly(async () => client.trade.draftPayment({ id }));
  const reverting = useSecretly(async () => client.trade.revert({ id }));
  const dropping = useSecretly(async () => client.trade.drop({ id }));
  const again = useSecretly(async () => client.trade.goOn({ id }));
  const pay = async () => setDraft(await drafting.go(undefined));
  const revert = async () => {
    if (await reverting.go(undefined)) setReverting(false);
  };
  const drop = async () => {
    if (await dropping.go(undefined)) setDropping(false);
  };
  return (
    <>
      {state === 'locked' && (
        <Group mt="sm" gap="xs">
          <Button onClick={() => void pay()} loading={drafting.pending}>
            {t('pay.action')}
          </Button>
          <Button variant="default" onClick={() => setReverting(true)}>
            {t('revert.action')}
          </Button>
        </Group>
      )}
      {(state === 'locked' || state === 'locking') && (
        <Button mt="xs" variant="subtle" onClick={() => setDropping(true)}>
          {t('drop.action')}
        </Button>
      )}
      {hasError && (state === 'paying' || state === 'paid' || state === 'bought') && (
        <Button mt="sm" variant="default" loading={again.pending} onClick={() => void again.go(undefined)}>
          {t('again')}
        </Button>
      )}
      <ErrorNote error={drafting.error ?? again.error} />
      {draft && (
        <CallDialog action={draft.action} draft={draft} send={payOnMarket} onClose={() => setDraft(undefined)} />
      )}
      <ConfirmDialog
        opened={isReverting}
        title={t('revert.title', { title })}
        action={t('revert.action')}
        colour="quarry"
        pending={reverting.pending}
        error={reverting.error}
        onConfirm={() => void revert()}
        onClose={() => setReverting(false)}
      >
        {t('revert.what')}
      </ConfirmDialog>
      <ConfirmDialog
        opened={isDropping}
        title={t('drop.title', { title })}
        action={t('drop.action')}
        colour="quarry"
        pending={dropping.pending}
        error={dropping.error}
        onConfirm={() => void drop()}
        onClose={() => setDropping(false)}
      >
        {t('drop.what')}
      </ConfirmDialog>
    </>
  );
}
