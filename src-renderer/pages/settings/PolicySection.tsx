import { Badge, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { PolicyView } from '../../../src-preload/contract/node.ts';
import { SettingField } from '../../components/setting-field/SettingField.tsx';
import { worded } from '../../i18n/worded.ts';
import { useNode } from '../../state/node.ts';
import { QuietHours } from './QuietHours.tsx';
import { SettingsCard } from './SettingsCard.tsx';

/** When this computer works less for others, or not at all: a card a rule. */
export function PolicySection() {
  const { t } = useTranslation('settings');
  return (
    <>
      <SettingsCard title={t('policy.user.title')} help={t('policy.user.help')}>
        <RuleState rule="user" />
        <SettingField path="policy.userActive" segmented />
        <SettingField path="policy.userIdleSeconds" unit="s" />
      </SettingsCard>
      <SettingsCard title={t('policy.battery.title')} help={t('policy.battery.help')}>
        <RuleState rule="battery" />
        <SettingField path="policy.onBattery" segmented />
      </SettingsCard>
      <SettingsCard title={t('policy.gpu.title')} help={t('policy.gpu.help')}>
        <RuleState rule="gpu" />
        <SettingField path="policy.otherGpu" segmented />
        <SettingField path="policy.otherGpuMemory" unit="MB" />
      </SettingsCard>
      <SettingsCard title={t('policy.heat.title')} help={t('policy.heat.help')}>
        <RuleState rule="heat" />
        <SettingField path="policy.heat" segmented />
        <SettingField path="policy.heatAbove" unit="°C" />
        <SettingField path="policy.heatBelow" unit="°C" />
      </SettingsCard>
      <SettingsCard title={t('policy.quiet.title')} help={t('policy.quiet.help')}>
        <RuleState rule="quiet-hours" />
        <SettingField path="policy.quietAction" segmented />
        <QuietHours />
      </SettingsCard>
      <SettingsCard title={t('policy.busy.title')}>
        <SettingField path="limits.refuseWhenOverloaded" />
      </SettingsCard>
    </>
  );
}

const COLOURS = { off: 'gray', clear: 'green', met: 'yellow', unknown: 'gray' } as const;

/** How a rule of the load policy stands at this moment; nothing on a node without one. */
function RuleState({ rule: name }: { rule: PolicyView['rules'][number]['rule'] }) {
  const { t } = useTranslation('settings');
  const rule = useNode(({ status }) => status?.policy?.rules.find((one) => one.rule === name));
  if (!rule) return null;
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Badge color={COLOURS[rule.state]} variant="light" style={{ flexShrink: 0 }}>
        {t(`policy.state.${rule.state}`)}
      </Badge>
      <Text size="sm" c="dimmed">
        {worded(rule, 'text')}
      </Text>
    </Group>
  );
}
