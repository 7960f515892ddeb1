import { Button, Group, SegmentedControl } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAdjustments } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { AskOptions } from '../../../src-preload/contract/conversations.ts';
import { ModelChoice } from './ModelChoice.tsx';
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
