import { Autocomplete, Radio, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { EvaluationTarget } from '../../../../src-preload/contract/evaluation.ts';
import { client } from '../../../api/client.ts';
import { useLiveValue } from '../../../api/live.ts';
import { useTitles } from '../../../components/useTitles.ts';
import { useNode } from '../../../state/node.ts';
import { changeDraft } from './draft.ts';
import { useOwnModel } from './use-own-model.ts';

/** Kinds of targets that can be chosen; one that the contract has besides is left out until it has fields of its own here. */
const KINDS = ['local', 'mesh'] as const;

/** Who is asked. */
export function Target({ target }: { target: EvaluationTarget }) {
  const { t } = useTranslation('evaluation');
  const titleOf = useTitles();
  const own = useOwnModel();
  const runsNone = useNode(({ status }) => status !== undefined && status.mining === undefined);
  const choose = (kind: string) => changeDraft({ target: kind === 'mesh' ? { kind } : { kind: 'local' } });
  const name = own.name === undefined ? t('new.noModel') : titleOf(own.name);
  return (
    <Stack gap={12}>
      <Radio.Group aria-label={t('new.whom')} value={target.kind} onChange={choose}>
        <Stack gap={10}>
          {KINDS.map((kind) => (
            <Radio
              key={kind}
              value={kind}
              label={t(`target.${kind}`)}
              description={kind === 'mesh' ? t('new.meshMeans') : runsNone ? t('new.runsNone') : name}
              disabled={kind === 'local' && runsNone}
            />
          ))}
        </Stack>
      </Radio.Group>
      {target.kind === 'mesh' && <MeshModel model={target.model ?? ''} />}
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
