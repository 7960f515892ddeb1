import { Button, Group, Loader, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { SentCall } from '../../../src-preload/contract/chain.ts';
import { QuarryError } from '../../../src-preload/contract/errors.ts';
import { useFormat } from '../../i18n/format.ts';
import { CopyIcon } from '../copy/CopyIcon.tsx';
import { ErrorNote } from '../errors/ErrorNote.tsx';
import { Note } from '../Note.tsx';
import { useCallWords } from './call-words.ts';
import { shortAddress } from './short-address.ts';

interface CallProgressProps {
  call: SentCall;
  /** Why nothing more is heard of it. */
  error: unknown;
  onClose: () => void;
  children?: ReactNode;
}

/** A call on its way, until it is final; then what came of it. */
export function CallProgress({ call, error, onClose, children }: CallProgressProps) {
  const { t } = useTranslation(['chain', 'common']);
  const words = useCallWords();
  const isEnded = call.state !== 'waiting';
  return (
    <Stack>
      <Text fw={550}>{words.title(call)}</Text>
      {!isEnded && !error && !call.refusal && (
        <Group role="status" wrap="nowrap" align="flex-start">
          <Loader size="sm" aria-hidden />
          <Text size="sm">{t('chain:call.onItsWay')}</Text>
        </Group>
      )}
      <CallOutcome call={call} />
      {!isEnded && Boolean(error) && (
        <Note state="pause" icon={IconAlertTriangle} role="alert">
          {t('chain:call.notHeard')}
        </Note>
      )}
      <Group gap={4} fz={12} c="var(--q-ink-3)">
        {t('chain:call.hash')} <code>{shortAddress(call.hash)}</code>
        <CopyIcon text={call.hash} label={t('chain:call.copyHash')} />
      </Group>
      {call.state === 'done' && children}
      <Group justify="flex-end">
        <Button variant={isEnded && !children ? 'filled' : 'default'} onClick={onClose} data-autofocus>
          {t('common:action.close')}
        </Button>
      </Group>
    </Stack>
  );
}

/** What came of a call, and what its endpoint said against it where no block tells otherwise; nothing before. */
export function CallOutcome({ call: { state, block, error, refusal } }: { call: SentCall }) {
  const { t } = useTranslation('chain');
  const format = useFormat();
  if (state === 'done') {
    return (
      <Note state="good" icon={IconCheck} role="status">
        {t('call.final', { block: block === null ? '–' : format.number(block) })}
      </Note>
    );
  }
  if (state === 'failed' && error) return <ErrorNote error={new QuarryError(error)} />;
  if (state === 'waiting' && !refusal) return null;
  return (
    <>
      {refusal && <ErrorNote error={new QuarryError(refusal)} />}
      {error && <ErrorNote error={new QuarryError(error)} />}
      <Note state={state === 'expired' ? 'error' : 'pause'} icon={IconAlertTriangle} role="alert">
        {t(`call.${state === 'waiting' ? 'mayCome' : state}`)}
      </Note>
    </>
  );
}
