import { Code, Group, Skeleton, Stack, Switch, Table, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Setting } from '../../../src-preload/contract/settings.ts';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorNote } from '../../components/ErrorNote.tsx';
import { SettingControl } from '../../components/setting-field/SettingControl.tsx';
import { worded } from '../../i18n/worded.ts';
import { matchingSettings } from './matching-settings.ts';

/** Every setting there is, by its name in the configuration file. */
export function AllSettings() {
  const { t } = useTranslation('settings');
  const { data, error, refetch } = useAnswer(api.settings.list.queryOptions());
  const [text, setText] = useState('');
  const [changedOnly, setChangedOnly] = useState(false);
  if (error) return <ErrorNote error={error} onRetry={refetch} />;
  if (!data) return <Skeleton h={400} />;
  const found = matchingSettings(data.settings, { text, changedOnly });
  return (
    <Stack>
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {t('all.intro', { file: data.file })}
      </Text>
      <Group align="flex-end">
        <TextInput
          type="search"
          label={t('all.search')}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          w={{ base: '100%', xs: 320 }}
        />
        <Switch
          label={t('all.changedOnly')}
          checked={changedOnly}
          onChange={(event) => setChangedOnly(event.currentTarget.checked)}
          mb={8}
        />
      </Group>
      <Text size="sm" role="status" c="dimmed">
        {t('all.found', { count: found.length })}
      </Text>
      {found.length === 0 ? (
        <EmptyState icon={IconSearch} title={t('all.nothing')}>
          {t('all.nothingHelp')}
        </EmptyState>
      ) : (
        <SettingsTable settings={found} />
      )}
    </Stack>
  );
}

function SettingsTable({ settings }: { settings: Setting[] }) {
  const { t } = useTranslation('settings');
  return (
    <Table.ScrollContainer minWidth={760}>
      <Table verticalSpacing="sm" aria-label={t('place.all')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('all.setting')}</Table.Th>
            <Table.Th w={260}>{t('all.value')}</Table.Th>
            <Table.Th>{t('all.origin')}</Table.Th>
            <Table.Th>{t('all.default')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {settings.map((setting) => (
            <SettingRow key={setting.path} setting={setting} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function SettingRow({ setting }: { setting: Setting }) {
  const { path, origin, defaultValue } = setting;
  const shownDefault = worded(setting, 'shownDefault');
  const { t } = useTranslation('settings');
  return (
    <Table.Tr style={{ verticalAlign: 'top' }}>
      <Table.Th scope="row" fw={400}>
        <Text fw={600} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {path}
        </Text>
        <Text size="xs" c="dimmed">
          {worded(setting, 'description')}
        </Text>
        <Text size="xs" c="dimmed">
          {t('all.wanted', { wanted: worded(setting, 'wanted') })}
        </Text>
      </Table.Th>
      <Table.Td>
        <SettingControl path={path} label={path} hideLabel />
      </Table.Td>
      <Table.Td>
        <Text size="sm">{t(`origin.${origin}`)}</Text>
      </Table.Td>
      <Table.Td maw={180}>
        {shownDefault ? (
          <Text size="sm">{shownDefault}</Text>
        ) : (
          <Code style={{ overflowWrap: 'anywhere' }}>
            {defaultValue === undefined ? '–' : JSON.stringify(defaultValue)}
          </Code>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
