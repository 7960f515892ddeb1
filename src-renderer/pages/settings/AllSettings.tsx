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
        <EmptyState title={t('all.nothing')}>{t('all.nothingHelp')}</EmptyState>
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
      <Table verticalSpacing="sm" layout="fixed" aria-label={t('place.all')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('all.setting')}</Table.Th>
            <Table.Th w={240}>{t('all.value')}</Table.Th>
            <Table.Th w={160}>{t('all.origin')}</Table.Th>
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
  const { path, origin } = setting;
  const { t } = useTranslation('settings');
  return (
    <Table.Tr style={{ verticalAlign: 'top' }}>
      <Table.Th scope="row" fw={400}>
        <Text fw={600} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {path}
        </Text>
        <Text size="xs" c="dimmed">
          <WithCode text={worded(setting, 'description')} />
        </Text>
        <Text size="xs" c="dimmed">
          {t('all.wanted', { wanted: worded(setting, 'wanted') })}
        </Text>
        <Text size="xs" c="dimmed">
          {t('all.default')} <Default setting={setting} />
        </Text>
      </Table.Th>
      <Table.Td>
        <SettingControl path={path} label={path} hideLabel />
      </Table.Td>
      <Table.Td>
        <Text size="sm">{t(`origin.${origin}`)}</Text>
      </Table.Td>
    </Table.Tr>
  );
}

function Default({ setting }: { setting: Setting }) {
  const { t } = useTranslation('settings');
  const inWords = worded(setting, 'shownDefault');
  if (inWords) return <WithCode text={`${inWords}.`} />;
  if (setting.defaultValue === undefined) return t('all.noDefault');
  return <Code style={{ overflowWrap: 'anywhere' }}>{JSON.stringify(setting.defaultValue)}</Code>;
}

/** What main puts between `…` is typed just so, or a name in the configuration file. */
function WithCode({ text }: { text: string }) {
  return text.split('`').map((part, place) => (place % 2 === 1 ? <Code key={place}>{part}</Code> : part));
}
