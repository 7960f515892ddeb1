import {
  Button,
  FileButton,
  Group,
  PasswordInput,
  SegmentedControl,
  Select,
  Stack,
  Text,
  Textarea,
} from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { KeySource } from '../../../../src-preload/contract/wallet.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { errorAt, errorBeside } from '../../../components/errors/field-error.ts';
import classes from '../wallet.module.css';
import type { WalletList } from '../wallet-list.ts';
import { MOST_PASSWORD_CHARS, MOST_PHRASE_CHARS } from './limits.ts';

interface KeySourceFormProps {
  way: 'create' | 'bring';
  list: WalletList;
  /** The wallet that gets a hotkey; undefined for a wallet of its own. */
  hotkeyOf: string | undefined;
  setHotkeyOf: (wallet: string | undefined) => void;
  making: { pending: boolean; error?: unknown; reset: () => void };
  onTake: (source: KeySource) => Promise<void>;
  onClose: () => void;
}

const BROUGHT = ['phrase', 'seed', 'json'] as const;
type Brought = (typeof BROUGHT)[number];
const MOST_FILE_BYTES = 65_536;

/** What key it is to be, and where it comes from. */
export function KeySourceForm({ way, list, hotkeyOf, setHotkeyOf, making, onTake, onClose }: KeySourceFormProps) {
  const { t } = useTranslation(['wallet', 'common']);
  const [words, setWords] = useState<12 | 24>(12);
  const [from, setFrom] = useState<Brought>('phrase');
  const [secret, setSecret] = useState('');
  const [password, setPassword] = useState('');
  const { pending, error, reset } = making;
  const source = ((): KeySource => {
    if (way === 'create') return { from: 'new', words };
    if (from === 'json') return { from, json: secret, password };
    return from === 'seed' ? { from, seed: secret } : { from, phrase: secret };
  })();
  const isReady = way === 'create' || secret.trim() !== '';
  const set = (text: string) => {
    setSecret(text);
    reset();
  };
  const change = (next: Brought) => {
    setFrom(next);
    set('');
    setPassword('');
  };
  return (
    <form
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !pending) void onTake(source);
      }}
    >
      <Stack>
        <Select
          label={t('wallet:new.kind')}
          description={t(hotkeyOf === undefined ? 'wallet:new.aboutColdkey' : 'wallet:new.aboutHotkey')}
          data={[
            { value: '', label: t('wallet:new.coldkey') },
            ...list.wallets.map(({ name }) => ({ value: name, label: t('wallet:new.hotkeyOf', { wallet: name }) })),
          ]}
          value={hotkeyOf ?? ''}
          onChange={(wallet) => setHotkeyOf(wallet || undefined)}
          allowDeselect={false}
        />
        {way === 'create' ? (
          <div>
            <Text size="sm" fw={550} mb={4} id="words">
              {t('wallet:new.howMany')}
            </Text>
            <SegmentedControl
              aria-labelledby="words"
              data={['12', '24']}
              value={String(words)}
              onChange={(value) => setWords(value === '24' ? 24 : 12)}
            />
          </div>
        ) : (
          <>
            <SegmentedControl
              aria-label={t('wallet:new.from')}
              data={BROUGHT.map((value) => ({ value, label: t(`wallet:new.source.${value}`) }))}
              value={from}
              onChange={change}
            />
            <BroughtFields {...{ from, secret, set, password, setPassword, error }} />
          </>
        )}
        <ErrorNote error={errorBeside(error, 'phrase', 'seed', 'json', 'password')} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common:action.cancel')}
          </Button>
          <Button type="submit" loading={pending} disabled={!isReady}>
            {t(way === 'create' ? 'wallet:new.show' : 'wallet:new.next')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface BroughtFieldsProps {
  from: Brought;
  secret: string;
  set: (secret: string) => void;
  password: string;
  setPassword: (password: string) => void;
  error: unknown;
}

function BroughtFields({ from, secret, set, password, setPassword, error }: BroughtFieldsProps) {
  const { t } = useTranslation('wallet');
  if (from === 'json') return <ExportedFile {...{ secret, set, password, setPassword, error }} />;
  if (from === 'seed') {
    return (
      <PasswordInput
        key="seed"
        label={t('new.source.seed')}
        description={t('new.seedHint')}
        value={secret}
        onChange={(event) => set(event.currentTarget.value)}
        error={errorAt(error, 'seed')}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
      />
    );
  }
  return (
    <div className={classes.mono}>
      <Textarea
        label={t('new.source.phrase')}
        description={t('new.phraseHint')}
        value={secret}
        onChange={(event) => set(event.currentTarget.value)}
        error={errorAt(error, 'phrase')}
        maxLength={MOST_PHRASE_CHARS}
        autosize
        minRows={3}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
      />
    </div>
  );
}

function ExportedFile({ secret, set, password, setPassword, error }: Omit<BroughtFieldsProps, 'from'>) {
  const { t } = useTranslation('wallet');
  const [name, setName] = useState('');
  const read = async (file: File | null) => {
    if (!file) return;
    setName(file.name);
    set(file.size > MOST_FILE_BYTES ? '{}' : await file.text()); // what is too large is refused as what is none
  };
  return (
    <>
      <div>
        <Group gap="xs">
          <FileButton accept="application/json,.json" onChange={(file) => void read(file)}>
            {(props) => (
              <Button variant="default" leftSection={<IconFileImport size={15} stroke={1.6} aria-hidden />} {...props}>
                {t('new.chooseFile')}
              </Button>
            )}
          </FileButton>
          <Text size="sm" c="var(--q-ink-2)" style={{ overflowWrap: 'anywhere' }}>
            {secret === '' ? t('new.fileHint') : name}
          </Text>
        </Group>
        {errorAt(error, 'json') && (
          <Text size="xs" c="var(--q-error)" mt={4} role="alert">
            {errorAt(error, 'json')}
          </Text>
        )}
      </div>
      <PasswordInput
        label={t('new.filePassword')}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={errorAt(error, 'password')}
        maxLength={MOST_PASSWORD_CHARS}
        autoComplete="off"
      />
    </>
  );
}
