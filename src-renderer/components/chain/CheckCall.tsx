import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChainDraft } from '../../../src-preload/contract/chain.ts';
import { api } from '../../api/client.ts';
import { toQuarryError } from '../../api/errors.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { useFormat } from '../../i18n/format.ts';
import { worded } from '../../i18n/worded.ts';
import { ErrorNote } from '../errors/ErrorNote.tsx';
import { errorAt, errorBeside } from '../errors/field-error.ts';
import { Note } from '../Note.tsx';
import { CallFacts } from './CallFacts.tsx';
import classes from './call.module.css';
import { amountOf } from './call-amount.ts';
import { NetworkChip } from './NetworkChip.tsx';
import { Overheard } from './Overheard.tsx';
import type { Sending } from './use-sending.ts';

const MOST_PASSWORD_CHARS = 1_024;
/** What has to be typed, where it can be said without saying it: who types it has looked. */
const TYPED: Partial<Record<ChainDraft['action']['action'], string>> = { transfer: 'transfer', register: 'register' };

interface CheckCallProps {
  draft: ChainDraft;
  sending: Sending;
  onBack?: (() => void) | undefined;
  onClose: () => void;
}

/** What a call does, whom it pays and what it costs, and what is asked of a person before it is signed. Enter does not send it. */
export function CheckCall({ draft, sending: { pending, error, send }, onBack, onClose }: CheckCallProps) {
  const { t } = useTranslation(['chain', 'common']);
  const format = useFormat();
  const [password, setPassword] = useState('');
  const [typed, setTyped] = useState('');
  const { data: wallets } = useAnswer(api.wallet.list.queryOptions());
  const isSealed = draft.sealing !== 'plain';
  const isPrivate = wallets?.confidential ?? false;
  const amount = amountOf(draft);
  const shown = `${format.taoExact(amount.rao)} ${amount.unit}`;
  const isUnheard = Boolean(error) && toQuarryError(error).code === 'NOT_RUNNING';
  const isReady =
    isPrivate && (!isSealed || password !== '') && (draft.typed === undefined || typed.trim() === draft.typed);
  const confirm = () => void send({ password: isSealed ? password : null, ...(draft.typed && { typed }) });
  return (
    <>
      <Stack gap={14}>
        <div>
          <p className={classes.amount}>
            {amount.most && <small>{t('chain:call.most')}</small>}
            {format.taoExact(amount.rao)} <small>{amount.unit}</small>
            <NetworkChip />
          </p>
          <CallFacts draft={draft} />
        </div>
        {draft.warnings.map((warning) => (
          <Note key={warning.text} state="pause" icon={IconAlertTriangle}>
            {worded(warning, 'text')}
          </Note>
        ))}
        {wallets && !isPrivate && <Overheard />}
        {isPrivate && draft.typed !== undefined && (
          <TextInput
            label={t(`chain:call.typed.${TYPED[draft.action.action] ?? 'other'}`, { text: draft.typed })}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            error={errorAt(error, 'typed')}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
          />
        )}
        {isPrivate && isSealed && (
          <PasswordInput
            label={t(`chain:call.password.${draft.signedBy}`)}
            description={pending ? t('chain:call.opening') : undefined}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={errorAt(error, 'password')}
            maxLength={MOST_PASSWORD_CHARS}
            autoComplete="off"
            data-autofocus={draft.typed === undefined || undefined}
          />
        )}
        {isPrivate && !isSealed && (
          <Text size="xs" c="dimmed">
            {t('chain:call.noPassword')}
          </Text>
        )}
        {!isUnheard && <ErrorNote error={errorBeside(error, 'typed', 'password')} />}
        {isUnheard && (
          <Note state="pause" icon={IconAlertTriangle}>
            {t('chain:call.unheard')}
          </Note>
        )}
      </Stack>
      <div className={classes.foot}>
        {onBack && (
          <Button variant="subtle" color="gray" mr="auto" onClick={onBack} disabled={pending || isUnheard}>
            {t('chain:call.back')}
          </Button>
        )}
        <Button variant="default" onClick={onClose} disabled={pending}>
          {t(isUnheard ? 'common:action.close' : 'common:action.cancel')}
        </Button>
        <Button onClick={confirm} loading={pending} disabled={!isReady}>
          {isUnheard ? t('chain:call.askAgain') : t(`chain:call.do.${draft.action.action}`, { amount: shown })}
        </Button>
      </div>
    </>
  );
}
