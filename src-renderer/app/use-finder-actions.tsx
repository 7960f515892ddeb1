import { useMantineColorScheme } from '@mantine/core';
import type { SpotlightActionData } from '@mantine/spotlight';
import {
  IconArrowRight,
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
import { tellError } from '../components/errors/tell-error.ts';
import { useNode } from '../state/node.ts';
import { wantAction } from '../state/wanted.ts';
import { ACTIONS } from './finder-index.ts';

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
  const begun = ACTIONS.map(({ path, title, words, wants }) => ({
    ...action(t(title), IconArrowRight, () => {
      location.hash = path;
      wantAction(wants);
    }),
    keywords: words,
  }));
  return [
    ...(connected && mining === 'stopped'
      ? [action(t('mining.start'), IconPlayerPlay, () => start.mutate(undefined))]
      : []),
    ...(connected && mining === 'running'
      ? [action(t('mining.stop'), IconPlayerStop, () => stop.mutate(undefined))]
      : []),
    ...begun,
    theme('light', IconSun),
    theme('dark', IconMoon),
    theme('auto', IconDeviceDesktop),
  ];
}
