import { Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChainDraft } from '../../../../src-preload/contract/chain.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { lengthText } from '../../../../src-preload/contract/length-text.ts';
import type { OwnOffer } from '../../../../src-preload/contract/trade.ts';
import { client } from '../../../api/client.ts';
import { useSecretly } from '../../../api/use-secretly.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { Address } from '../../../components/chain/Address.tsx';
import { CallDialog } from '../../../components/chain/CallDialog.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Meter } from '../../../components/Meter.tsx';
import { Note } from '../../../components/Note.tsx';
import { Block, Facts, Inspector } from '../../../components/page/Inspector.tsx';
import type { State } from '../../../components/state.ts';
import { useFormat } from '../../../i18n/format.ts';
import { AppealDialog } from '../AppealDialog.tsx';
import { OFFER_LOOKS } from './looks.ts';
import { payOnMarket } from './pay-on-market.ts';

/** Money that is owed back matters more than how the offer stands. */
export const looksOfOffer = ({ state, owed }: OwnOffer): State => (owed.length > 0 ? 'pause' : OFFER_LOOKS[state]);

/** How an offer stands, what it brings, what is owed for it, and the way back. */
export function OfferInspector({ offer }: { offer: OwnOffer }) {
  const { t } = useTranslation('trade');
  const format = useFormat();
  const {
    title,
    state,
    reason,
    error,
    bytes,
    sentBytes,
    durationMs,
    ownScore,
    signed,
    score,
    price,
    wish,
    seller,
    url,
  } = offer;
  const isSending = state === 'sending' || state === 'uploading';
  return (
    <Inspector title={title} description={t(`offerHint.${state}`)}>
      <Block>
        {isSending && (
          <Stack gap={4}>
            <Meter parts={[{ share: sentBytes / bytes }]} />
            <Text size="xs">{t('received', { received: format.bytes(sentBytes), bytes: format.bytes(bytes) })}</Text>
          </Stack>
        )}
        {reason !== null && <Text size="sm">{t('offer.reason', { reason })}</Text>}
        {error && <ErrorNote error={new QuarryError(error)} />}
        <Owed offer={offer} />
        <Actions offer={offer} />
      </Block>
      <Block>
        <Facts
          facts={[
            [t('price'), price !== null && `${format.taoExact(price)} TAO`],
            [t('offer.wish'), wish !== null && `${format.taoExact(wish)} TAO`],
            [t('score'), score !== null && format.number(score, 2)],
            [t('offer.ownScore'), format.number(ownScore, 2)],
            [t('offer.signed'), signed && t('offer.signedBy', { ...signed, score: format.number(signed.score, 2) })],
            [t('length'), lengthText(durationMs)],
            [t('size'), format.bytes(bytes)],
            [t('offer.seller'), <Address key="seller" address={seller} />],
            [t('market'), new URL(url).host],
          ]}
        />
      </Block>
    </Inspector>
  );
}

/** Money that came too late is to be paid back. */
function Owed({ offer: { id, owed } }: { offer: OwnOffer }) {
  const { t } = useTranslation('trade');
  const format = useFormat();
  const [draft, setDraft] = useState<ChainDraft>();
  const drafting = useSecretly(async (purchase: string) => client.trade.draftRepayment({ id, purchase }));
  return (
    <>
      {owed.map(({ purchase, amount, isPaying }) => (
        <Note
          key={purchase}
          state="pause"
          icon={IconAlertTriangle}
          title={t('owed.title', { amount: format.taoExact(amount) })}
          actions={
            <Button
              size="xs"
              disabled={isPaying}
              loading={drafting.pending}
              onClick={async () => setDraft(await drafting.go(purchase))}
            >
              {t(isPaying ? 'owed.onItsWay' : 'owed.action')}
            </Button>
          }
        >
          {t('owed.why')}
        </Note>
      ))}
      <ErrorNote error={drafting.error} />
      {draft && (
        <CallDialog action={draft.action} draft={draft} send={payOnMarket} onClose={() => setDraft(undefined)} />
      )}
    </>
  );
}

const MAY_SEND: readonly OwnOffer['state'][] = ['prepared'];
const MAY_TAKE_BACK: readonly OwnOffer['state'][] = ['uploading', 'processing', 'review', 'submitted'];
const MAY_FORGET: readonly OwnOffer['state'][] = ['prepared', 'rejected', 'withdrawn'];

function Actions({ offer: { id, title, state, bytes, url, mayAppeal, rests } }: { offer: OwnOffer }) {
  const { t } = useTranslation(['trade', 'focus']);
  const format = useFormat();
  const [asked, setAsked] = useState<'send' | 'withdraw'>();
  const [isAppealing, setAppealing] = useState(false);
  const appealing = useSecretly(async (note: string) => client.trade.appeal({ id, note }));
  const sending = useSecretly(async () => client.trade.sendOffer({ id }));
  const withdrawing = useSecretly(async () => {
    await client.trade.withdraw({ id });
    return true;
  });
  const work = asked === 'send' ? sending : withdrawing;
  const confirm = async () => {
    if (await work.go(undefined)) setAsked(undefined);
  };
  const isForgetting = MAY_FORGET.includes(state) || (rests && state === 'sending');
  const name = asked === 'send' ? 'send' : isForgetting ? 'forget' : 'withdraw';
  return (
    <Group mt="sm" gap="xs">
      {MAY_SEND.includes(state) && <Button onClick={() => setAsked('send')}>{t('send.action')}</Button>}
      {rests && (
        <Button variant="default" loading={sending.pending} onClick={() => void sending.go(undefined)}>
          {t('again')}
        </Button>
      )}
      {mayAppeal && (
        <Button variant="default" loading={appealing.pending} onClick={() => setAppealing(true)}>
          {t('focus:score.appeal.action')}
        </Button>
      )}
      {(MAY_TAKE_BACK.includes(state) || isForgetting) && (
        <Button variant="default" onClick={() => setAsked('withdraw')}>
          {t(`${isForgetting ? 'forget' : 'withdraw'}.action`)}
        </Button>
      )}
      <ErrorNote error={appealing.error ?? (asked === undefined ? sending.error : null)} />
      {isAppealing && (
        <AppealDialog
          what={t('appeal.what', { host: new URL(url).host })}
          onAppeal={(note) => void appealing.go(note)}
          onClose={() => setAppealing(false)}
        />
      )}
      <ConfirmDialog
        opened={asked !== undefined}
        title={t(`${name}.title`, { title })}
        action={t(`${name}.do`)}
        colour={asked === 'send' ? 'quarry' : 'red'}
        pending={work.pending}
        error={work.error}
        onConfirm={() => void confirm()}
        onClose={() => setAsked(undefined)}
      >
        {t(`${name}.what`, { bytes: format.bytes(bytes), host: new URL(url).host })}
      </ConfirmDialog>
    </Group>
  );
}
