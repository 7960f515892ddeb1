import { Button, Group, Modal, Skeleton, Stack } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChainAction, ChainDraft, SentCall } from '../../../src-preload/contract/chain.ts';
import { client } from '../../api/client.ts';
import { ErrorNote } from '../errors/ErrorNote.tsx';
import { CallProgress } from './CallProgress.tsx';
import { CheckCall } from './CheckCall.tsx';
import { type Send, useSending } from './use-sending.ts';

interface CallDialogProps {
  /** What is wanted of the chain. Main says first what it would cost; a draft that fails is told here. */
  action: ChainAction;
  /** The same, as main has drafted it already. */
  draft?: ChainDraft | undefined;
  /** Back to a form, where there is one. */
  onBack?: (() => void) | undefined;
  onClose: () => void;
  /** Who sends the draft. Default: the chain's own desk. */
  send?: Send | undefined;
  /** Told once of a call that has come to its end. */
  onDone?: ((call: SentCall) => void) | undefined;
  /** What comes next, once it is final. */
  children?: ReactNode;
}

/** Shows what a call would do, has it confirmed, sends it, and shows what comes of it. Who closes it does not stop the call. */
export function CallDialog({ action, draft: given, onBack, onClose, send, onDone, children }: CallDialogProps) {
  const { t } = useTranslation(['chain', 'common']);
  const [draft, setDraft] = useState(given);
  const [error, setError] = useState<unknown>();
  const sending = useSending(draft, onDone, send);
  const text = JSON.stringify(action);
  useEffect(() => {
    if (given) return;
    let left = false;
    client.chain.draft(JSON.parse(text)).then(
      (made) => !left && setDraft(made),
      (cause) => !left && setError(cause),
    );
    return () => {
      left = true;
    };
  }, [given, text]);
  const close = () => {
    if (!sending.pending || sending.call) onClose(); // it is being signed
  };
  return (
    <Modal opened onClose={close} title={t(`chain:call.${titleOf(sending.call)}`)} size={480}>
      {sending.call ? (
        <CallProgress call={sending.call} error={sending.error} onClose={onClose}>
          {children}
        </CallProgress>
      ) : draft ? (
        <CheckCall draft={draft} sending={sending} onBack={onBack} onClose={close} />
      ) : (
        <Stack>
          {error ? <ErrorNote error={error} /> : <Skeleton h={180} role="status" aria-label={t('common:loading')} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onBack ?? onClose} data-autofocus>
              {t('common:action.close')}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

function titleOf(call: SentCall | undefined): 'check' | 'sent' | 'notTaken' {
  if (!call) return 'check';
  return call.refusal && call.state !== 'done' ? 'notTaken' : 'sent';
}
