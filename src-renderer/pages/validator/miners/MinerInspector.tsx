import { Button, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconId, IconListDetails, IconPencil, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { EndpointView } from '../../../../src-preload/contract/validator-run.ts';
import { CopyIcon } from '../../../components/copy/CopyIcon.tsx';
import { Note } from '../../../components/Note.tsx';
import { Block, Facts, Inspector } from '../../../components/page/Inspector.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';
import { showChallengesOf } from '../challenges/challenge-choice.ts';
import { minerName } from '../miner-name.ts';
import classes from '../validator.module.css';
import { CheckMiner } from './CheckMiner.tsx';
import { MinerChip } from './MinerChip.tsx';
import type { ListedMiner } from './miner-list.ts';

interface MinerInspectorProps {
  miner: ListedMiner;
  onChange: (endpoint: EndpointView) => void;
  onRemove: (endpoint: EndpointView) => void;
  /** Of a worker of the mesh. */
  onHotkey: () => void;
}

/** Everything about a miner: where it is, how it goes since the run began, and why no answer came last. */
export function MinerInspector({ miner, onChange, onRemove, onHotkey }: MinerInspectorProps) {
  const { t } = useTranslation('validator');
  const format = useFormat();
  const { id, kind, endpoint, asked, hotkey } = miner;
  const model =
    kind === 'axon'
      ? asked?.model && t('miners.committedModel', { model: asked.model })
      : asked?.model || endpoint?.model || (endpoint && t('miners.firstModel'));
  return (
    <Inspector
      title={minerName(id).name}
      description={
        <span className={classes.chip}>
          <MinerChip miner={miner} />
        </span>
      }
    >
      {asked?.fault && (
        <Block>
          <Note state="pause" icon={IconAlertTriangle} title={t('miners.lastFault')}>
            {worded(asked.fault, 'text')}
          </Note>
        </Block>
      )}
      <Block>
        <Facts
          facts={[
            [t('miners.way'), t(`kind.${kind}`)],
            [t('miners.url'), endpoint?.url],
            [t('result.model'), model],
            [t('miners.key'), endpoint && t(endpoint.hasKey ? 'miners.hasKey' : 'miners.noKey')],
            [t('miners.uid'), asked?.uid ?? undefined],
            [t('miners.hotkey'), kind !== 'axon' && !hotkey && t('miners.noHotkey')],
          ]}
        />
        {kind !== 'endpoint' && <Key text={id} copy={t('miners.copyKey')} />}
      </Block>
      {hotkey && (
        <Block title={t('miners.hotkey')}>
          <Text size="sm">{t('miners.hotkeyWhat')}</Text>
          <Key text={hotkey} copy={t('miners.copyHotkey')} />
        </Block>
      )}
      {asked && (
        <Block title={t('miners.sinceStart')}>
          <Facts
            facts={[
              [t('miners.answers'), format.number(asked.answered)],
              [t('miners.score'), asked.answered > 0 && format.percent(asked.score / asked.answered, 1)],
              [t('miners.without'), format.number(asked.failed)],
              [t('miners.notReached'), asked.notReached > 0 && format.number(asked.notReached)],
              [t('miners.inFlight'), format.number(asked.inFlight)],
              [t('miners.heard'), asked.heardAt !== null && format.relative(asked.heardAt)],
            ]}
          />
        </Block>
      )}
      <Block>
        <Stack gap="xs">
          <Button
            component="a"
            href="#/validator/challenges"
            variant="default"
            leftSection={<IconListDetails size={15} stroke={1.6} aria-hidden />}
            onClick={() => showChallengesOf(id)}
          >
            {t('why.challenges')}
          </Button>
          {kind === 'mesh' && (
            <Button variant="default" leftSection={<IconId size={15} stroke={1.6} aria-hidden />} onClick={onHotkey}>
              {t(hotkey ? 'hotkey.change' : 'hotkey.set')}
            </Button>
          )}
          {endpoint && (
            <>
              <CheckMiner key={`${endpoint.url} ${endpoint.model}`} name={endpoint.name} />
              <Button
                variant="default"
                leftSection={<IconPencil size={15} stroke={1.6} aria-hidden />}
                onClick={() => onChange(endpoint)}
              >
                {t('miners.change')}
              </Button>
              <Button
                variant="default"
                c="var(--q-error)"
                leftSection={<IconTrash size={15} stroke={1.6} aria-hidden />}
                onClick={() => onRemove(endpoint)}
              >
                {t('miners.remove')}
              </Button>
            </>
          )}
        </Stack>
      </Block>
    </Inspector>
  );
}

function Key({ text, copy }: { text: string; copy: string }) {
  return (
    <Text size="xs" ff="monospace" mt={8} style={{ overflowWrap: 'anywhere' }}>
      {text} <CopyIcon text={text} label={copy} />
    </Text>
  );
}
