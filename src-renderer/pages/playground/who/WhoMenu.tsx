import { Button, Menu } from '@mantine/core';
import { IconCheck, IconChevronDown, IconDeviceDesktop, IconWorld } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { AskOptions } from '../../../../src-preload/contract/conversations.ts';
import type { Answerers } from './useAnswerers.ts';
import type { Choose } from './useChoose.tsx';
import { type Who, whoOf } from './who.ts';

interface WhoMenuProps {
  options: AskOptions;
  answerers: Answerers;
  onChoose: Choose;
}

/** Who answers the next question, below where it is written; the same choice as in the inspector. */
export function WhoMenu({ options, answerers, onChoose }: WhoMenuProps) {
  const { t } = useTranslation('playground');
  const { local, here, learnt, mesh, titleOf } = answerers;
  const chosen = whoOf(options, here);
  const models = local.map(({ name }): [Who, string] => [`here:${name}`, titleOf(name)]);
  if (models.length === 0) models.push(['here:', t('target.noModel')]);
  models.push(...learnt.map((name): [Who, string] => [`learnt:${name}`, name]));
  const others = mesh.map(({ name }): [Who, string] => [`mesh:${name}`, titleOf(name)]);
  others.push(['mesh', t('target.anyone')]);
  const name = [...models, ...others].find(([who]) => who === chosen)?.[1];
  const Icon = options.target === 'mesh' ? IconWorld : IconDeviceDesktop;
  const item = ([who, label]: [Who, string]) => (
    <Menu.Item
      key={who}
      onClick={() => onChoose(who)}
      aria-current={who === chosen || undefined}
      rightSection={who === chosen && <IconCheck size={15} aria-hidden />}
    >
      {label}
    </Menu.Item>
  );
  return (
    <Menu position="top-start" width={260}>
      <Menu.Target>
        <Button
          variant="default"
          size="xs"
          maw={240}
          leftSection={<Icon size={15} stroke={1.6} aria-hidden />}
          rightSection={<IconChevronDown size={15} stroke={1.6} aria-hidden />}
          aria-label={t('target.choose', { name })}
        >
          {name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflow: 'auto' }}>
        <Menu.Label>{t('target.local')}</Menu.Label>
        {models.map(item)}
        <Menu.Label>{t('target.mesh')}</Menu.Label>
        {others.map(item)}
      </Menu.Dropdown>
    </Menu>
  );
}
