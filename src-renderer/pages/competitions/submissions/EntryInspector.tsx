import { Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { OwnEntry } from '../../../../src-preload/contract/competition.ts';
import { WHOLE_POT } from '../../../../src-preload/contract/competition-numbers.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { api } from '../../../api/client.ts';
import { Address } from '../../../components/chain/Address.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Block, Facts, Inspector } from '../../../components/page/Inspector.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';
import classes from '../competitions.module.css';
import { entryLook } from './entry-looks.ts';

/** How a submission stands and why, what is missing to be counted, and what can be done. */
export function EntryInspector({ entry }: { entry: OwnEntry }) {
  const { t } = useTranslation('competitions');
  const format = useFormat();
  const { reason, missing, measured, receipt, reveal, place, share } = entry;
  const times = (ratio: number) => `${format.number(ratio, 2)}×`;
  return (
    <Inspector title={entry.name} description={t(`is.${entryLook(entry).word}`)}>
      {entry.error && (
        <Block>
          <ErrorNote error={new QuarryError(entry.error)} />
        </Block>
      )}
      {reason && (
        <Block title={t('entry.why')}>
          <Text size="sm">{worded(reason, 'text')}</Text>
        </Block>
      )}
      {missing.length > 0 && (
        <Block title={t('entry.missing')}>
          <ul className={classes.published}>
            {missing.map((one) => (
              <li key={one.text}>{worded(one, 'text')}</li>
            ))}
          </ul>
        </Block>
      )}
      <Block>
        <Facts
          facts={[
            [t('entry.place'), place !== null && format.number(place)],
            [t('entry.share'), share > 0 && format.percent(share / WHOLE_POT, 1)],
            [t('entry.speed'), measured && times(measured.ratio.median)],
            [t('entry.interval'), measured && `${times(measured.ratio.low)} – ${times(measured.ratio.high)}`],
            [t('entry.revealAt'), reveal && format.time(reveal.at)],
            [t('entry.blocks'), reveal && format.number(reveal.blocksLeft)],
            [t('entry.round'), format.number(entry.countsIn ?? entry.round)],
            [t('entry.tokens'), format.number(entry.tokens)],
            [t('entry.size'), format.bytes(entry.bytes)],
            [t('entry.number'), receipt && format.number(receipt.number)],
            [t('entry.server'), URL.parse(entry.url)?.host],
            [
              t('entry.hotkey'),
              <span key="hotkey" className={classes.line}>
                <Address address={entry.hotkey} />
              </span>,
            ],
          ]}
        />
      </Block>
      <Block>
        <Actions entry={entry} />
      </Block>
    </Inspector>
  );
}

function Actions({ entry: { id, state, isOver, reveal: open } }: { entry: OwnEntry }) {
  const { t } = useTranslation('competitions');
  const submit = useMutation(api.competition.submit.mutationOptions());
  const reveal = useMutation(api.competition.reveal.mutationOptions());
  const forget = useMutation(api.competition.forget.mutationOptions());
  return (
    <Stack gap={8}>
      {state === 'sending' && (
        <Button loading={submit.isPending} onClick={() => submit.mutate({ id })}>
          {t('entry.sendAgain')}
        </Button>
      )}
      {state === 'committed' && (
        <Button disabled={open?.blocksLeft !== 0} loading={reveal.isPending} onClick={() => reveal.mutate({ id })}>
          {t('entry.revealNow')}
        </Button>
      )}
      {(isOver || state === 'kept') && (
        <Button variant="default" loading={forget.isPending} onClick={() => forget.mutate({ id })}>
          {t('entry.forget')}
        </Button>
      )}
      <ErrorNote error={submit.error ?? reveal.error ?? forget.error} />
    </Stack>
  );
}
