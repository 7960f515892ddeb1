import { Radio, Stack, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { EvaluationTarget } from '../../../../src-preload/contract/evaluation.ts';
import { changeStart } from './start-draft.ts';

const KINDS = ['local', 'mesh', 'address'] as const;
const MOST_NAME_CHARS = 256;

/** Who writes: this computer’s model, somebody on the mesh, or a server. */
export function Writer({ target }: { target: EvaluationTarget }) {
  const { t } = useTranslation('optimiser');
  const choose = (kind: string) => {
    if (kind === 'address') changeStart({ target: { kind, url: '' } });
    else changeStart({ target: { kind: kind === 'mesh' ? kind : 'local' } });
  };
  return (
    <Stack gap={12}>
      <Radio.Group aria-label={t('form.writer')} value={target.kind} onChange={choose}>
        <Stack gap={10}>
          {KINDS.map((kind) => (
            <Radio key={kind} value={kind} label={t(`writer.${kind}`)} description={t(`writer.${kind}Means`)} />
          ))}
        </Stack>
      </Radio.Group>
      {target.kind === 'address' && (
        <TextInput
          maw={420}
          ml={32}
          label={t('writer.url')}
          placeholder="http://127.0.0.1:8000/v1"
          value={target.url}
          onChange={(event) => changeStart({ target: { ...target, url: event.currentTarget.value.trim() } })}
        />
      )}
      {(target.kind === 'address' || target.kind === 'mesh') && (
        <TextInput
          maw={420}
          ml={32}
          label={t('writer.model')}
          description={t('writer.modelMeans')}
          maxLength={MOST_NAME_CHARS}
          value={target.model ?? ''}
          onChange={(event) => changeStart({ target: withModel(target, event.currentTarget.value.trim()) })}
        />
      )}
    </Stack>
  );
}

function withModel<T extends Extract<EvaluationTarget, { kind: 'address' | 'mesh' }>>(
  { model: _, ...target }: T,
  model: string,
) {
  return { ...target, ...(model !== '' && { model }) } as EvaluationTarget;
}
