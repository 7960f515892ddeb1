import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Section, SectionPair } from '../../../components/Section.tsx';
import { SettingControl } from '../../../components/setting-field/SettingControl.tsx';
import { settingValue, useSetSettings } from '../../../state/settings.ts';
import { TaskChoice } from '../TaskChoice.tsx';
import { useEnvironments } from '../use-environments.ts';

const WAYS = ['mesh', 'netuid', 'wallet', 'hotkey'] as const;
const PACE = ['level', 'concurrency', 'perMiner', 'perHour', 'timeout', 'retries', 'maxTokens', 'days'] as const;

/** Who is asked beside those with addresses of their own, and how all of them are; it counts from the next challenge on. */
export function AskingSettings() {
  const { t } = useTranslation('validator');
  const controls = (names: readonly ((typeof WAYS)[number] | (typeof PACE)[number])[]) =>
    names.map((name) => (
      <SettingControl
        key={name}
        path={`validator.${name}`}
        label={t(`setting.${name}.label`)}
        help={t(`setting.${name}.help`)}
        nothing="none"
      />
    ));
  return (
    <SectionPair>
      <Section title={t('miners.ways')} description={t('miners.waysHelp')}>
        <Stack maw={440}>{controls(WAYS)}</Stack>
      </Section>
      <Section title={t('miners.asking')} description={t('miners.askingHelp')}>
        <Stack maw={440}>
          <AskedTasks />
          {controls(PACE)}
        </Stack>
      </Section>
    </SectionPair>
  );
}

/** The usual ones are the default: then none is named, and what a newer Quarry brings is asked, too. */
function AskedTasks() {
  const { t } = useTranslation('validator');
  const settings = useAnswer(api.settings.list.queryOptions());
  const set = useSetSettings();
  const tasks = useEnvironments();
  if (!tasks || !settings.data) return null;
  const usual = tasks.filter(({ isUsual }) => isUsual).map(({ name }) => name);
  const chosen = settingValue<string[]>(settings.data, 'validator.environments') ?? usual;
  const choose = (wanted: string[]) => {
    const isUsual = wanted.length === usual.length && usual.every((name) => wanted.includes(name));
    set.mutate({ changes: { 'validator.environments': isUsual ? null : wanted } });
  };
  return (
    <>
      <TaskChoice label={t('tasks')} tasks={tasks} chosen={chosen} onChange={choose} />
      <ErrorNote error={set.error} />
    </>
  );
}
