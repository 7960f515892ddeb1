import { Code, Skeleton, Switch, Text, TextInput, UnstyledButton } from '@mantine/core';
import { IconChevronRight, IconSearch } from '@tabler/icons-react';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { placesOf } from '../../../src-preload/contract/pages.ts';
import type { Setting } from '../../../src-preload/contract/settings.ts';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorNote } from '../../components/errors/ErrorNote.tsx';
import { StateChip } from '../../components/StateChip.tsx';
import { SettingControl } from '../../components/setting-field/SettingControl.tsx';
import { useFormat } from '../../i18n/format.ts';
import { settingTitle } from '../../i18n/setting-title.ts';
import { worded } from '../../i18n/worded.ts';
import { onWantedSetting } from '../../state/wanted.ts';
import { homeOf, type Place } from './fields/layout.ts';
import { matchingSettings } from './fields/matching-settings.ts';
import classes from './settings.module.css';

/** Every setting there is, by tab, folded until one is opened or something is looked for, with its name in the configuration file for those who edit that. */
export function AllSettings() {
  const { t } = useTranslation('settings');
  const { data, error, refetch } = useAnswer(api.settings.list.queryOptions());
  const [text, setText] = useState('');
  const [changedOnly, setChangedOnly] = useState(false);
  const [opened, setOpened] = useState<readonly Place[]>([]);
  useEffect(() => onWantedSetting(setText), []);
  if (error) return <ErrorNote error={error} onRetry={refetch} />;
  if (!data) return <Skeleton h={400} />;
  const searching = text.trim() !== '' || changedOnly;
  const found = matchingSettings(data.settings, { text, changedOnly });
  return (
    <div>
      <div className={classes.tools}>
        <TextInput
          type="search"
          aria-label={t('all.search')}
          placeholder={t('all.search')}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          w={{ base: '100%', xs: 320 }}
        />
        <Switch
          label={t('all.changedOnly')}
          checked={changedOnly}
          onChange={(event) => setChangedOnly(event.currentTarget.checked)}
        />
        <Text size="sm" role="status" c="var(--q-ink-3)">
          {t('all.found', { count: found.length })}
        </Text>
      </div>
      <p className={classes.hint}>{t('all.intro', { file: data.file })}</p>
      {found.length === 0 ? (
        <EmptyState title={t('all.nothing')}>{t('all.nothingHelp')}</EmptyState>
      ) : (
        placesOf('settings').map((place) => (
          <Group
            key={place}
            name={t(`place.${place}`)}
            settings={found.filter(({ path }) => homeOf(path) === place)}
            opened={searching || opened.includes(place)}
            onFold={
              searching
                ? undefined
                : (open) => setOpened((before) => (open ? [...before, place] : before.filter((one) => one !== place)))
            }
          />
        ))
      )}
    </div>
  );
}

interface GroupProps {
  name: string;
  settings: Setting[];
  opened: boolean;
  /** Opens or folds it; undefined where it stays open. */
  onFold: ((open: boolean) => void) | undefined;
}

function Group({ name, settings, opened, onFold }: GroupProps) {
  const id = useId();
  const format = useFormat();
  if (settings.length === 0) return null;
  return (
    <section aria-label={name}>
      <h2 className={classes.group}>
        <UnstyledButton aria-expanded={opened} aria-controls={id} disabled={!onFold} onClick={() => onFold?.(!opened)}>
          {onFold && <IconChevronRight size={14} stroke={2} aria-hidden data-opened={opened || undefined} />}
          {name}
          <span className="num">{format.number(settings.length)}</span>
        </UnstyledButton>
      </h2>
      <div id={id}>{opened && settings.map((setting) => <SettingRow key={setting.path} setting={setting} />)}</div>
    </section>
  );
}

function SettingRow({ setting }: { setting: Setting }) {
  const { path, origin } = setting;
  const { t } = useTranslation('settings');
  const title = settingTitle(setting);
  const description = worded(setting, 'description');
  return (
    <div className={classes.row}>
      <div>
        <div className={classes.rowTitle}>
          {title}
          {origin !== 'default' && <StateChip state="idle">{t(`origin.${origin}`)}</StateChip>}
        </div>
        {description !== `${title}.` && (
          <p className={classes.hint} style={{ margin: 0 }}>
            <WithCode text={description} />
          </p>
        )}
        <p className={classes.hint} style={{ margin: 0 }}>
          <Default setting={setting} />
        </p>
        <span className={classes.id}>{path}</span>
      </div>
      <SettingControl path={path} label={title} hideLabel />
    </div>
  );
}

/** What it is when nothing is set; a field that shows it says nothing more. */
function Default({ setting }: { setting: Setting }) {
  const { t } = useTranslation('settings');
  const { defaultValue, origin } = setting;
  const inWords = worded(setting, 'shownDefault');
  if (inWords) return <WithCode text={`${t('all.default')} ${inWords}.`} />;
  if (defaultValue === undefined || origin === 'default') return null;
  return (
    <>
      {t('all.default')} <Code>{JSON.stringify(defaultValue)}</Code>
    </>
  );
}

/** What main puts between `…` is typed just so, or a name in the configuration file. */
function WithCode({ text }: { text: string }) {
  return text.split('`').map((part, place) => (place % 2 === 1 ? <Code key={place}>{part}</Code> : part));
}
