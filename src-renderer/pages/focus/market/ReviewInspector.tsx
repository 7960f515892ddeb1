import { Button, Group, NumberInput, Stack, Text, Textarea } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_JUDGED_CHARS } from '../../../../src-preload/contract/focus-limits.ts';
import { lengthText } from '../../../../src-preload/contract/length-text.ts';
import type { MarketReview } from '../../../../src-preload/contract/market.ts';
import { api } from '../../../api/client.ts';
import { queryClient } from '../../../api/query-client.ts';
import { Address } from '../../../components/chain/Address.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Block, Facts, Inspector } from '../../../components/page/Inspector.tsx';
import { useFormat } from '../../../i18n/format.ts';
import focusClasses from '../focus.module.css';

/** A video that waits for a person: what is to be seen, what was said of it, and the decision. */
export function ReviewInspector({ review }: { review: MarketReview }) {
  const { t } = useTranslation('trade');
  const format = useFormat();
  const { id, title, description, kind, multiplier, seller, durationMs, bytes } = review;
  const { marketScore, sellerScore, rulesScore, reason, appeal } = review;
  return (
    <Inspector title={title} description={description}>
      <Block>
        <Film id={id} title={title} />
      </Block>
      <Block>
        <Stack gap="xs" mb="sm">
          {appeal !== null && <Text size="sm">{t('review.appealSays', { note: appeal })}</Text>}
          <Text size="sm">{t('review.marketSays', { reason })}</Text>
        </Stack>
        <Facts
          facts={[
            [t('review.marketScore'), format.number(marketScore, 2)],
            [t('review.sellerScore'), sellerScore === null ? t('review.untold') : format.number(sellerScore, 2)],
            [t('review.rulesScore'), format.number(rulesScore, 2)],
            [t('review.kind'), t(`kind.${kind}`)],
            [t('review.multiplier'), multiplier !== 1 && `× ${format.number(multiplier, 2)}`],
            [t('length'), lengthText(durationMs)],
            [t('size'), format.bytes(bytes)],
            [t('offer.seller'), <Address key="seller" address={seller} />],
          ]}
        />
      </Block>
      <Block>
        <Decision review={review} />
      </Block>
    </Inspector>
  );
}

function Film({ id, title }: { id: string; title: string }) {
  const { t } = useTranslation('focus');
  const { data, error, isPending, mutate } = useMutation(api.market.video.mutationOptions());
  if (data) {
    // biome-ignore lint/a11y/useMediaCaption: nobody has written down what is said in it
    return <video className={focusClasses.video} src={data.path} aria-label={title} controls autoPlay />;
  }
  return (
    <>
      <Button
        variant="default"
        fullWidth
        loading={isPending}
        leftSection={<IconPlayerPlay size={15} stroke={1.6} aria-hidden />}
        onClick={() => mutate({ id })}
      >
        {t('video.play')}
      </Button>
      <ErrorNote error={error} />
    </>
  );
}

/** For sale with a score that a person chose, or refused with a reason. */
function Decision({ review: { id } }: { review: MarketReview }) {
  const { t } = useTranslation('trade');
  const [worth, setWorth] = useState<string | number>('');
  const [reason, setReason] = useState('');
  const judge = useMutation(
    api.market.judge.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries({ queryKey: api.market.reviews.key() }),
    }),
  );
  return (
    <Stack gap="sm">
      <NumberInput
        label={t('review.worth')}
        description={t('review.worthHint')}
        value={worth}
        onChange={setWorth}
        min={0.1}
        max={1}
        step={0.05}
        decimalScale={2}
      />
      <Textarea
        label={t('review.reason')}
        description={t('review.reasonHint')}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        maxLength={MAX_JUDGED_CHARS}
        autosize
        maxRows={6}
      />
      <ErrorNote error={judge.error} />
      <Group gap="xs">
        <Button
          loading={judge.isPending && judge.variables.accept}
          disabled={typeof worth !== 'number'}
          onClick={() => judge.mutate({ id, accept: true, score: Number(worth), reason })}
        >
          {t('review.accept')}
        </Button>
        <Button
          variant="default"
          loading={judge.isPending && !judge.variables.accept}
          disabled={reason.trim() === ''}
          onClick={() => judge.mutate({ id, accept: false, reason })}
        >
          {t('review.refuse')}
        </Button>
      </Group>
    </Stack>
  );
}
