import { Autocomplete, Radio, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { EvaluationTarget } from '../../../../src-preload/contract/evaluation.ts';
import { client } from '../../../api/client.ts';
import { useLiveValue } from '../../../api/live.ts';
import { useTitles } from '../../../components/useTitles.ts';
import { changeDraft } from './draft.ts';
import { Miner } from './Miner.tsx';
import { Server } from './Server.tsx';
import { useAsker } from './use-asker.ts';
import { useOwnModel, useRunsNone } from './use-own-model.ts';

const KINDS = ['local', 'mesh', 'address', 'axon'] as const;

/** Who is asked. */
export function Target({ target }: { target: EvaluationTarget }) {
  const { t } = useTranslation('evaluation');
  const titleOf = useTitles();
  const own = useOwnModel();
  const runsNone = useRunsNone();
  const asker = useAsker();
  const choose = (kind: string) => {
    if (kind === 'address') changeDraft({ target: { kind, url: '' } });
    else if (kind === 'axon') changeDraft({ target: { kind, hotkey: '' } });
    else changeDraft({ target: { kind: kind === 'mesh' ? kind : 'local' } });
  };
  const means = {
    local: runsNone ? t('new.runsNone') : own === undefined ? t('new.noModel') : titleOf(own),
    mesh: t('new.meshMeans'),
    address: t('new.serverMeans'),
    axon: asker ? t('new.minerMeans', asker) : t('new.noAsker'),
  };
  return (
    <Stack gap={12}>
      <Radio.Group aria-label={t('new.whom')} value={target.kind} onChange={choose}>
        <Stack gap={10}>
          {KINDS.filter((kind) => kind !== 'axon' || asker || target.kind === 'axon').map((kind) => (
            <Radio
              key={kind}
              value={kind}
              label={t(`target.${kind}`)}
              description={means[kind]}
              disabled={kind === 'local' && runsNone}
            />
          ))}
        </Stack>
      </Radio.Group>
      {target.kind === 'mesh' && <MeshModel model={target.model ?? ''} />}
      {target.kind === 'address' && <Server target={target} />}
      {target.kind === 'axon' && <Miner target={target} netuid={asker?.netuid} />}
    </Stack>
  );
}

/** Which model of the mesh; those that somebody serves now are offered. */
function MeshModel({ model }: { model: string }) {
  const { t } = useTranslation('evaluation');
  const { value: peers } = useLiveValue((signal) => client.mesh.watchPeers(undefined, { signal }));
  const served = [...new Set(peers?.peers.flatMap(({ ready, models }) => (ready ? models : [])))].toSorted();
  return (
    <Autocomplete
      maw={420}
      ml={32}
      label={t('new.meshModel')}
      description={t('new.meshModelMeans')}
      data={served}
      value={model}
      onChange={(value) => changeDraft({ target: { kind: 'mesh', ...(value.trim() && { model: value.trim() }) } })}
    />
  );
}
