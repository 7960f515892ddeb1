import { Button, Menu } from '@mantine/core';
import { IconCheck, IconChevronDown, IconDeviceDesktop, IconWorld } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { AskOptions } from '../../../src-preload/contract/conversations.ts';
import type { Answerers } from './useAnswerers.ts';
import { askedOf, type Who, whoOf } from './who.ts';

interface WhoMenuProps {
  options: AskOptions;
  answerers: Answerers;
  onChange: (options: AskOptions) => void;
}

/** Who answers the next question, below where it is written; the same choice as in the inspector. */
export function WhoMenu({ options, answerers, onChange }: WhoMenuProps) {
  const { t } = useTranslation('playground');
  const { local, mesh, titleOf } = answerers;
  const chosen = whoOf(options);
  const here = local.name ? titleOf(local.name) : t('target.noModel');
  const names: [Who, string][] = mesh.map(({ name }) => [`mesh:${name}`, titleOf(name)]);
  names.push(['mesh', t('target.anyone')]);
  const name = chosen === 'local' ? here : names.find(([who]) => who === chosen)?.[1];
  const Icon = options.target === 'mesh' ? IconWorld : IconDeviceDesktop;
  const item = (who: Who, label: string) => (
    <Menu.Item
      key={who}
      onClick={() => onChange(askedOf(who, options))}
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
        {item('local', here)}
        <Menu.Label>{t('target.mesh')}</Menu.Label>
        {names.map(([who, label]) => item(who, label))}
      </Menu.Dropdown>
    </Menu>
  );
}
