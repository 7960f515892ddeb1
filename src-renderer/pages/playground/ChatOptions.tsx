import { Button, Group, SegmentedControl, Select } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAdjustments } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { AskOptions } from '../../../src-preload/contract/conversations.ts';
import { api } from '../../api/client.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { ParametersDrawer } from './ParametersDrawer.tsx';

interface ChatOptionsProps {
  options: AskOptions;
  onChange: (options: AskOptions) => void;
}

/** Who is asked, and how. */
export function ChatOptions({ options, onChange }: ChatOptionsProps) {
  const { t } = useTranslation('playground');
  const [opened, drawer] = useDisclosure();
  const { target } = options;
  return (
    <Group gap="sm">
      <SegmentedControl
        aria-label={t('target.label')}
        value={target}
        onChange={(next) => onChange({ ...options, target: next as AskOptions['target'], model: undefined })}
        data={[
          { value: 'local', label: t('target.local') },
          { value: 'mesh', label: t('target.mesh') },
        ]}
      />
      {target === 'mesh' && <ModelChoice value={options.model} onChange={(model) => onChange({ ...options, model })} />}
      <Button variant="default" leftSection={<IconAdjustments size={16} aria-hidden />} onClick={drawer.open}>
        {t('parameters.title')}
      </Button>
      <ParametersDrawer opened={opened} options={options} onChange={onChange} onClose={drawer.close} />
    </Group>
  );
}

/** Models that workers in reach serve; any of them when none is chosen. */
function ModelChoice({
  value,
  onChange,
}: {
  value: string | undefined;
  onChange: (model: string | undefined) => void;
}) {
  const { t } = useTranslation('playground');
  const { data } = useAnswer({ ...api.mesh.peers.queryOptions({ input: {} }), refetchInterval: 10_000 });
  const served = new Set(data?.peers.filter(({ ready }) => ready).flatMap(({ models }) => models));
  if (value) served.add(value);
  return (
    <Select
      aria-label={t('model.label')}
      placeholder={t('model.any')}
      data={[...served].sort()}
      value={value ?? null}
      onChange={(model) => onChange(model ?? undefined)}
      clearable
      searchable
      w={260}
    />
  );
}
