import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EndpointView, NewEndpoint } from '../../../../src-preload/contract/validator-run.ts';
import { client } from '../../../api/client.ts';
import { useUnsaved } from '../../../api/unsaved.ts';
import { useSecretly } from '../../../api/use-secretly.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { errorAt, errorBeside } from '../../../components/errors/field-error.ts';
import { faultOfEndpoint, isReadable } from './endpoint-form.ts';
import { refreshMiners } from './refresh-miners.ts';

const FIELDS = ['name', 'url', 'model', 'apiKey', 'hotkey'] as const;

interface EndpointDialogProps {
  /** The one that is changed; undefined for a new one. */
  endpoint: EndpointView | undefined;
  /** Those that there are: a new one takes none of their names. */
  names: readonly string[];
  onSaved: (name: string) => void;
  onClose: () => void;
}

/** Where a miner is, what is asked for there, the key that it wants, and the hotkey that stands for it. */
export function EndpointDialog({ endpoint, names, onSaved, onClose }: EndpointDialogProps) {
  const { t } = useTranslation(['validator', 'common']);
  const [name, setName] = useState(endpoint?.name ?? '');
  const [url, setUrl] = useState(endpoint?.url ?? '');
  const [model, setModel] = useState(endpoint?.model ?? '');
  const [key, setKey] = useState('');
  const [hotkey, setHotkey] = useState(endpoint?.hotkey ?? '');
  const [tried, setTried] = useState(false);
  const isTyped = name !== (endpoint?.name ?? '') || hotkey !== (endpoint?.hotkey ?? '') || key !== '';
  useUnsaved(url !== (endpoint?.url ?? '') || isTyped);
  const save = useSecretly((one: NewEndpoint) => client.validator.addMiner(one).then(refreshMiners));
  const fault = faultOfEndpoint({ name, url }, endpoint ? [] : names);
  const shown = (field: 'name' | 'url') =>
    (tried && fault?.field === field && t(`form.fault.${fault.why}`)) || errorAt(save.error, field);
  const submit = async () => {
    setTried(true);
    if (fault) return;
    const about = { name: name.trim(), url: url.trim(), model: model.trim() };
    const one = { ...about, hotkey: hotkey.trim() || null, ...(key && { apiKey: key }) };
    if (!(await save.go(one))) return;
    onSaved(one.name);
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title={t(endpoint ? 'form.changeTitle' : 'miners.add')} size={480} centered>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Stack>
          <Text size="sm">{t('form.what')}</Text>
          <TextInput
            label={t('form.name')}
            description={t('form.nameHint')}
            value={name}
            disabled={endpoint !== undefined}
            maxLength={64}
            data-autofocus={endpoint ? undefined : true}
            error={shown('name')}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <TextInput
            label={t('miners.url')}
            placeholder="http://127.0.0.1:8000/v1"
            description={isReadable(url) ? t('form.readable') : t('form.urlHint')}
            value={url}
            maxLength={2_048}
            inputMode="url"
            data-autofocus={endpoint ? true : undefined}
            error={shown('url')}
            onChange={(event) => setUrl(event.currentTarget.value)}
          />
          <TextInput
            label={t('form.model')}
            placeholder={t('miners.firstModel')}
            value={model}
            maxLength={256}
            error={errorAt(save.error, 'model')}
            onChange={(event) => setModel(event.currentTarget.value)}
          />
          <PasswordInput
            label={t('form.key')}
            placeholder={endpoint?.hasKey ? t('form.keyKept') : undefined}
            description={t('form.keyHint')}
            value={key}
            maxLength={4_096}
            autoComplete="off"
            error={errorAt(save.error, 'apiKey')}
            onChange={(event) => setKey(event.currentTarget.value)}
          />
          <TextInput
            label={t('miners.hotkey')}
            placeholder="5…"
            description={t('form.hotkeyHint')}
            value={hotkey}
            maxLength={64}
            autoComplete="off"
            spellCheck={false}
            error={errorAt(save.error, 'hotkey')}
            onChange={(event) => setHotkey(event.currentTarget.value)}
          />
          <ErrorNote error={errorBeside(save.error, ...FIELDS)} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common:action.cancel')}
            </Button>
            <Button type="submit" loading={save.pending}>
              {t(endpoint ? 'common:action.save' : 'miners.add')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
