import { Button, Code, Group } from '@mantine/core';
import { IconShieldCheck, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LocalModel } from '../../../../src-preload/contract/models.ts';
import { Block } from '../../../components/page/Inspector.tsx';
import { RemoveModel } from './RemoveModel.tsx';
import { VerifyModel } from './VerifyModel.tsx';

/** The file of a model that is here: where it is, whether it is whole, and the way to be rid of it. */
export function OwnFile({ local, title }: { local: LocalModel; title: string }) {
  const { t } = useTranslation('models');
  const [dialog, setDialog] = useState<'verify' | 'remove'>();
  const close = () => setDialog(undefined);
  return (
    <Block title={t('file.title')}>
      <Code style={{ overflowWrap: 'anywhere', background: 'none', padding: 0, color: 'var(--q-ink-3)' }}>
        {local.path}
      </Code>
      <Group gap="xs" mt={10}>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconShieldCheck size={15} stroke={1.6} aria-hidden />}
          onClick={() => setDialog('verify')}
        >
          {t('verify.open')}
        </Button>
        {!local.tiny && (
          <Button
            size="xs"
            variant="subtle"
            color="red"
            leftSection={<IconTrash size={15} stroke={1.6} aria-hidden />}
            onClick={() => setDialog('remove')}
          >
            {t('remove.open')}
          </Button>
        )}
      </Group>
      {dialog === 'verify' && <VerifyModel name={local.name} title={title} onClose={close} />}
      {dialog === 'remove' && <RemoveModel model={local} title={title} onClose={close} />}
    </Block>
  );
}
