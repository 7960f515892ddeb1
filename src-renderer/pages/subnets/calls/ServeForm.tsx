import { Button, Group, NumberInput, Stack, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AxonState } from '../../../../src-preload/contract/axon.ts';
import type { ChainAction, MetagraphView, NeuronView } from '../../../../src-preload/contract/chain.ts';
import { placeText } from '../../../../src-preload/contract/place.ts';
import { Note } from '../../../components/Note.tsx';
import { worded } from '../../../i18n/worded.ts';
import { HotkeySelect } from './HotkeySelect.tsx';
import { keyOfHotkey } from './own-hotkeys.ts';

interface ServeFormProps {
  axon: AxonState;
  subnet: MetagraphView;
  onCheck: (action: ChainAction) => void;
  onClose: () => void;
}

type OwnNeuron = NeuronView & { own: NonNullable<NeuronView['own']> };

/** For which of one's own hotkeys, and where: as the axon knows it, with who says so and whether somebody outside has proved it. */
export function ServeForm({ axon, subnet, onCheck, onClose }: ServeFormProps) {
  const { t } = useTranslation(['subnets', 'common']);
  const neurons = subnet.rows.filter((neuron): neuron is OwnNeuron => neuron.own !== undefined);
  const here = neurons.find(({ hotkey }) => hotkey === axon.hotkey?.address);
  const [key, setKey] = useState<string>();
  const [ip, setIp] = useState(axon.external?.ip ?? '');
  const [port, setPort] = useState<number | string>(axon.external?.port ?? axon.port ?? '');
  const chosen = neurons.find(({ own }) => keyOfHotkey(own) === key) ?? here ?? neurons[0];
  if (!chosen) return <Note icon={IconAlertTriangle}>{t('subnets:serve.noNeuron')}</Note>;
  const asKnown = axon.external !== null && ip === axon.external.ip && port === axon.external.port;
  const ready = ip.trim() !== '' && typeof port === 'number';
  return (
    <Stack>
      <HotkeySelect
        hotkeys={neurons.map(({ own, hotkey }) => ({ ...own, address: hotkey }))}
        value={keyOfHotkey(chosen.own)}
        onChange={setKey}
        description={
          chosen.axon ? t('subnets:serve.toldNow', { place: placeText(chosen.axon) }) : t('subnets:serve.toldNothing')
        }
      />
      <Group align="flex-start" wrap="nowrap" gap="sm">
        <TextInput
          flex={1}
          label={t('subnets:serve.ip')}
          description={t(
            asKnown && axon.external ? `subnets:serve.from.${axon.external.from}` : 'subnets:serve.ipHint',
          )}
          value={ip}
          maxLength={64}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setIp(event.currentTarget.value)}
        />
        <NumberInput
          w={110}
          label={t('subnets:serve.port')}
          min={1}
          max={65_535}
          allowDecimal={false}
          allowNegative={false}
          clampBehavior="strict"
          hideControls
          value={port}
          onChange={setPort}
        />
      </Group>
      <Doubt axon={axon} chosen={chosen} asKnown={asKnown} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('common:action.cancel')}
        </Button>
        <Button
          disabled={!ready}
          onClick={() =>
            typeof port === 'number' &&
            onCheck({ action: 'serve', ...chosen.own, netuid: subnet.netuid, ip: ip.trim(), port })
          }
        >
          {t('subnets:calls.check')}
        </Button>
      </Group>
    </Stack>
  );
}

/** Why others may ask there in vain. */
function Doubt({ axon, chosen, asKnown }: { axon: AxonState; chosen: OwnNeuron; asKnown: boolean }) {
  const { t } = useTranslation('subnets');
  if (!axon.running) {
    return (
      <Note state="pause" icon={IconAlertTriangle} title={t('serve.notRunning')}>
        {t('serve.notRunningHint')}
      </Note>
    );
  }
  if (axon.hotkey?.address !== chosen.hotkey) {
    return (
      <Note state="pause" icon={IconAlertTriangle} title={t('serve.otherHotkey')}>
        {t('serve.otherHotkeyHint')}
      </Note>
    );
  }
  if (asKnown && axon.reach.status === 'ok') return null;
  return (
    <Note state="pause" icon={IconAlertTriangle} title={t('serve.notProven')}>
      {asKnown ? [worded(axon.reach, 'found'), worded(axon.reach, 'advice')].filter(Boolean).join(' ') : t('serve.own')}
    </Note>
  );
}
