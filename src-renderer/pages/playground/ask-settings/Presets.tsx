import { ActionIcon, Button, Group, Menu, Modal, Select, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDeviceFloppy, IconDots, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AskOptions, Preset } from '../../../../src-preload/contract/conversations.ts';
import { MAX_PRESET_CHARS } from '../../../../src-preload/contract/limits.ts';
import { api } from '../../../api/client.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { presetOf, settingsOf, withPreset } from './preset-choice.ts';

interface PresetsProps {
  options: AskOptions;
  onChange: (options: AskOptions) => void;
}

const keep = (presets: Preset[]) => queryClient.setQueryData(api.conversations.presets.queryKey(), presets);

/** System prompt and parameters under a name: taken again in another conversation, kept, and deleted. */
export function Presets({ options, onChange }: PresetsProps) {
  const { t } = useTranslation('playground');
  const { data: presets = [], error } = useAnswer(api.conversations.presets.queryOptions());
  const [saving, dialog] = useDisclosure();
  const remove = useMutation(api.conversations.removePreset.mutationOptions({ onSuccess: keep }));
  const chosen = presetOf(options, presets);
  const choose = (name: string | null) => {
    const preset = presets.find((one) => one.name === name);
    if (preset) onChange(withPreset(options, preset));
  };
  return (
    <Stack gap={8}>
      <Group gap={6} wrap="nowrap" align="flex-end">
        <Select
          flex={1}
          miw={0}
          label={t('preset.label')}
          placeholder={t(presets.length > 0 ? 'preset.own' : 'preset.none')}
          data={presets.map(({ name }) => name)}
          value={chosen?.name ?? null}
          onChange={choose}
          disabled={presets.length === 0}
          allowDeselect={false}
        />
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="default" size={34} aria-label={t('preset.more')}>
              <IconDots size={16} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconDeviceFloppy size={15} />} onClick={dialog.open}>
              {t('preset.save')}
            </Menu.Item>
            {chosen && (
              <Menu.Item
                c="error"
                leftSection={<IconTrash size={15} />}
                onClick={() => remove.mutate({ name: chosen.name })}
              >
                {t('preset.remove', { name: chosen.name })}
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      </Group>
      <ErrorNote error={error ?? remove.error} />
      <Modal opened={saving} onClose={dialog.close} title={t('preset.save')}>
        <SaveForm options={options} presets={presets} onSaved={dialog.close} />
      </Modal>
    </Stack>
  );
}

interface SaveFormProps {
  options: AskOptions;
  presets: readonly Preset[];
  onSaved: () => void;
}

function SaveForm({ options, presets, onSaved }: SaveFormProps) {
  const { t } = useTranslation('playground');
  const [name, setName] = useState('');
  const save = useMutation(
    api.conversations.savePreset.mutationOptions({
      onSuccess: (saved) => {
        keep(saved);
        onSaved();
      },
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ name: name.trim(), options: settingsOf(options) });
  };
  const replaces = presets.some((preset) => preset.name === name.trim());
  return (
    <Stack component="form" onSubmit={submit}>
      <TextInput
        label={t('name')}
        description={replaces && t('preset.replaces')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        maxLength={MAX_PRESET_CHARS}
        data-autofocus
      />
      <ErrorNote error={save.error} />
      <Button type="submit" loading={save.isPending} disabled={name.trim() === ''}>
        {t('action.save', { ns: 'common' })}
      </Button>
    </Stack>
  );
}
