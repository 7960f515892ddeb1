import { useMantineColorScheme } from '@mantine/core';
import type { SpotlightActionData } from '@mantine/spotlight';
import {
  IconDeviceDesktop,
  IconMoon,
  IconPlayerPlay,
  IconPlayerStop,
  IconSun,
  type TablerIcon,
} from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../api/client.ts';
import { useConnection } from '../api/connection.ts';
import { tellError } from '../components/tell-error.ts';
import { useNode } from '../state/node.ts';

/** What can be done at once, without a page. */
export function useFinderActions(): SpotlightActionData[] {
  const { t } = useTranslation();
  const { setColorScheme } = useMantineColorScheme();
  const mining = useNode(({ status }) => status?.mining?.state);
  const connected = useConnection(({ state }) => state === 'open');
  const start = useMutation(api.node.startMining.mutationOptions({ onError: (error) => tellError(error) }));
  const stop = useMutation(api.node.stopMining.mutationOptions({ onError: (error) => tellError(error) }));
  const action = (label: string, Icon: TablerIcon, onClick: () => void): SpotlightActionData => ({
    id: label,
    label,
    leftSection: <Icon size={18} stroke={1.6} aria-hidden />,
    onClick,
  });
  const theme = (scheme: 'light' | 'dark' | 'auto', Icon: TablerIcon) =>
    action(`${t('theme.label')}: ${t(`theme.${scheme}`)}`, Icon, () => setColorScheme(scheme));
  return [
    ...(connected && mining === 'stopped'
      ? [action(t('mining.start'), IconPlayerPlay, () => start.mutate(undefined))]
      : []),
    ...(connected && mining === 'running'
      ? [action(t('mining.stop'), IconPlayerStop, () => stop.mutate(undefined))]
      : []),
    theme('light', IconSun),
    theme('dark', IconMoon),
    theme('auto', IconDeviceDesktop),
  ];
}
