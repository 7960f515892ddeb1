import { Button, Input, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { WEIGHT_WAYS } from '../../../../src-preload/contract/validator-names.ts';
import type { WeightSetting } from '../../../../src-preload/contract/validator-run.ts';
import { api } from '../../../api/client.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Facts } from '../../../components/page/Inspector.tsx';
import { Section } from '../../../components/Section.tsx';
import { SettingControl } from '../../../components/setting-field/SettingControl.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { useSetSettings } from '../../../state/settings.ts';
import { minerName } from '../miner-name.ts';
import type { LiveRun } from '../run/use-run.ts';
import { WeightsTrouble } from './WeightsTrouble.tsx';

const SIGNER = ['signerUrl', 'signerToken'] as const;
const WALLET = ['netuid', 'wallet', 'hotkey'] as const;

interface OnChainProps {
  run: LiveRun;
  /** Miners with a weight, by the rules that are set. */
  miners: number;
  /** Whether other rules are shown than those that are set. */
  isTried: boolean;
}

/** How the weights come to the chain: by whom, when they were set and are to be, and what keeps them from it. */
export function OnChain({ run, miners, isTried }: OnChainProps) {
  const { state, isRunning } = run;
  const { t } = useTranslation('validator');
  const [isAsking, setAsking] = useState(false);
  const setNow = useMutation(api.validator.setWeights.mutationOptions({ onSettled: () => setAsking(false) }));
  if (!state) return null;
  const { weights } = state;
  const { netuid } = weights;
  const isOn = weights.way !== 'off';
  return (
    <Section
      title={t('chain.title')}
      description={t(isOn && !isRunning ? 'chain.whenRunning' : 'chain.what')}
      aside={
        isOn && (
          <Button
            variant="default"
            leftSection={<IconUpload size={15} stroke={1.6} aria-hidden />}
            loading={setNow.isPending || weights.isSetting}
            disabled={isTried}
            title={isTried ? t('chain.keepFirst') : undefined}
            onClick={() => setAsking(true)}
          >
            {t('chain.setNow')}
          </Button>
        )
      }
    >
      <Stack maw={520}>
        <Way way={weights.way} />
        <WeightsTrouble run={run} hasFields />
        {/* What kept them is kept as trouble, too: once is enough. */}
        <ErrorNote error={weights.fault ? null : setNow.error} />
        {isOn && isTried && <Text size="sm">{t('chain.keepFirst')}</Text>}
        {isOn && <How weights={weights} />}
        {isOn && <Fields names={weights.way === 'signer' ? ['netuid', ...SIGNER] : WALLET} />}
      </Stack>
      <ConfirmDialog
        opened={isAsking}
        title={t('chain.asking', { count: miners, netuid: netuid ?? '–' })}
        action={t('chain.setNow')}
        colour="quarry"
        pending={setNow.isPending}
        error={null}
        onConfirm={() => setNow.mutate(undefined)}
        onClose={() => setAsking(false)}
      >
        {t('chain.askingWhat')}
      </ConfirmDialog>
    </Section>
  );
}

function Way({ way }: { way: WeightSetting['way'] }) {
  const { t } = useTranslation('validator');
  const set = useSetSettings();
  return (
    <>
      <Input.Wrapper label={t('chain.way')} description={t(`chain.means.${way}`)} labelElement="div">
        <div>
          <SegmentedControl
            aria-label={t('chain.way')}
            value={way}
            data={WEIGHT_WAYS.map((value) => ({ value, label: t(`chain.ways.${value}`) }))}
            onChange={(value) => set.mutate({ changes: { 'validator.setWeights': value } })}
          />
        </div>
      </Input.Wrapper>
      <ErrorNote error={set.error} />
    </>
  );
}

function How({ weights: { by, hotkey, setAt, nextAt, onSubnet } }: { weights: WeightSetting }) {
  const { t } = useTranslation('validator');
  const format = useFormat();
  return (
    <Facts
      facts={[
        [t('chain.signedBy'), by ?? t('chain.nobody')],
        [
          t('chain.hotkey'),
          hotkey && (
            <span key="hotkey" title={hotkey}>
              {minerName(hotkey).name}
            </span>
          ),
        ],
        [t('chain.setAt'), setAt === null ? t('chain.never') : format.relative(setAt)],
        [t('chain.nextAt'), nextAt !== null && (nextAt <= Date.now() ? t('figures.due') : format.relative(nextAt))],
        [t('chain.onSubnet'), setAt !== null && format.number(onSubnet)],
      ]}
    />
  );
}

function Fields({ names }: { names: readonly ((typeof SIGNER)[number] | (typeof WALLET)[number])[] }) {
  const { t } = useTranslation('validator');
  return (
    <Stack>
      {names.map((name) => (
        <SettingControl
          key={name}
          path={`validator.${name}`}
          label={t(`setting.${name}.label`)}
          help={t(`chain.help.${name}`)}
          nothing="none"
        />
      ))}
    </Stack>
  );
}
