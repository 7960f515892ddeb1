import { Button, Group, List, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { lengthText } from '../../../../src-preload/contract/length-text.ts';
import type { DryRun, MarketVideo } from '../../../../src-preload/contract/trade.ts';
import { api, client } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { useSecretly } from '../../../api/use-secretly.ts';
import { Address } from '../../../components/chain/Address.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Block, Facts, Inspector } from '../../../components/page/Inspector.tsx';
import { useFocusBack } from '../../../components/use-focus-back.ts';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';

interface VideoInspectorProps {
  video: MarketVideo;
  /** Rao that may be spent in a day. */
  cap: string;
  onBought: () => void;
}

/** Everything about a video that is for sale, and the way to it. */
export function VideoInspector({ video, cap, onBought }: VideoInspectorProps) {
  const { t } = useTranslation('trade');
  const format = useFormat();
  const [isBuying, setBuying] = useState(false);
  const { title, description, kind, score, durationMs, bytes, price, seller } = video;
  return (
    <Inspector title={title} description={t(`kind.${kind}`)}>
      {description && (
        <Block>
          <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
            {description}
          </Text>
        </Block>
      )}
      <Block>
        <Facts
          facts={[
            [t('price'), `${format.taoExact(price)} TAO`],
            [t('score'), format.number(score, 2)],
            [t('length'), lengthText(durationMs)],
            [t('size'), format.bytes(bytes)],
            [t('buy.to'), <Address key="seller" address={seller} />],
          ]}
        />
      </Block>
      <Block>
        <Stack gap="xs">
          <Button onClick={() => setBuying(true)}>{t('buy.look')}</Button>
          <Text size="xs" c="var(--q-ink-2)">
            {t(cap === '0' ? 'buy.capFirst' : 'buy.nothingYet')}
          </Text>
        </Stack>
      </Block>
      {isBuying && <BuyDialog video={video} onClose={() => setBuying(false)} onBought={onBought} />}
    </Inspector>
  );
}

/** What would happen, and what stands in its way; then it is kept for us. Nothing is paid here. */
function BuyDialog({ video, onClose, onBought }: { video: MarketVideo; onClose: () => void; onBought: () => void }) {
  const { t } = useTranslation(['trade', 'common']);
  useFocusBack();
  const { id, title, price } = video;
  const { data, error } = useAnswer(api.trade.dryRun.queryOptions({ input: { video: id }, retry: false, gcTime: 0 }));
  const buying = useSecretly(async () => client.trade.buy({ video: id, price }));
  const buy = async () => {
    if (await buying.go(undefined)) onBought();
  };
  return (
    <Modal opened onClose={onClose} title={t('trade:buy.title', { title })} size={520}>
      <Stack>
        {data ? <Steps run={data} /> : error === null && <Skeleton h={220} aria-label={t('common:loading')} />}
        <ErrorNote error={error ?? buying.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('common:action.cancel')}
          </Button>
          <Button onClick={() => void buy()} loading={buying.pending} disabled={!data || data.obstacles.length > 0}>
            {t('trade:buy.lock')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function Steps({ run: { video, from, balance, capLeft, steps, obstacles } }: { run: DryRun }) {
  const { t } = useTranslation('trade');
  const format = useFormat();
  return (
    <>
      <Text fz={28} fw={600} lh={1.3}>
        {format.taoExact(video.price)} <small>TAO</small>
      </Text>
      <Facts
        facts={[
          [t('buy.from'), from !== null && <Address key="from" address={from} />],
          [t('buy.balance'), balance !== null && `${format.tao(balance)} TAO`],
          [t('buy.to'), <Address key="to" address={video.seller} />],
          [t('buy.capLeft'), capLeft === null ? t('buy.capNone') : `${format.taoExact(capLeft)} TAO`],
        ]}
      />
      <List type="ordered" size="sm" spacing={4}>
        {steps.map((step) => (
          <List.Item key={step.text}>{worded(step, 'text')}</List.Item>
        ))}
      </List>
      {obstacles.map((obstacle) => (
        <ErrorNote key={obstacle.message} error={new QuarryError(obstacle)} />
      ))}
    </>
  );
}
