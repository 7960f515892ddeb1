import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { useUnsaved } from '../../../api/unsaved.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { errorAt, errorBeside } from '../../../components/errors/field-error.ts';
import { minerName } from '../miner-name.ts';
import type { ListedMiner } from './miner-list.ts';
import { refreshMiners } from './refresh-miners.ts';

interface HotkeyDialogProps {
  miner: Pick<ListedMiner, 'id' | 'hotkey'>;
  onClose: () => void;
}

/** Which hotkey stands for a worker of the mesh; one at an address of its own has it in its form. */
export function HotkeyDialog({ miner, onClose }: HotkeyDialogProps) {
  const { t } = useTranslation(['validator', 'common']);
  const [typed, setTyped] = useState(miner.hotkey ?? '');
  const hotkey = typed.trim();
  useUnsaved(hotkey !== (miner.hotkey ?? ''));
  const save = useMutation(
    api.validator.setHotkey.mutationOptions({
      async onSuccess() {
        await refreshMiners();
        onClose();
      },
    }),
  );
  return (
    <Modal opened onClose={onClose} title={t('hotkey.title', { name: minerName(miner.id).name })} size={480} centered>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate({ name: miner.id, hotkey: hotkey || null });
        }}
      >
        <Stack>
          <Text size="sm">{t('form.hotkeyHint')}</Text>
          <TextInput
            label={t('miners.hotkey')}
            placeholder="5…"
            description={miner.hotkey && t('hotkey.emptyHint')}
            value={typed}
            maxLength={64}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
            error={errorAt(save.error, 'hotkey')}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <ErrorNote error={errorBeside(save.error, 'hotkey')} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common:action.cancel')}
            </Button>
            <Button type="submit" loading={save.isPending} disabled={!miner.hotkey && hotkey === ''}>
              {t('common:action.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
