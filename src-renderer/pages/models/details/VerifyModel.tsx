import { Button, Code, Group, Modal, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconShieldCheck } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from '../../../api/client.ts';
import { useByteWork } from '../../../components/byte-work/useByteWork.ts';
import { WorkProgress } from '../../../components/byte-work/WorkProgress.tsx';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { Note } from '../../../components/Note.tsx';

interface Verification {
  ok: boolean;
  found: string;
  expected: string;
}

/** Reads a model's file again from end to end, and says whether it is still what it should be. */
export function VerifyModel({ name, title, onClose }: { name: string; title: string; onClose: () => void }) {
  const { t } = useTranslation(['models', 'common']);
  const work = useByteWork<Verification>();
  const begin = () => void work.start((signal) => client.models.verify({ name }, { signal }));
  useEffect(begin, [name]);
  return (
    <Modal opened onClose={onClose} closeOnClickOutside={false} title={t('verify.title', { name: title })}>
      <Stack>
        {work.step === 'running' && <WorkProgress label={t('verify.running')} progress={work.progress} />}
        {work.result && <Finding finding={work.result} />}
        <ErrorNote error={work.error} onRetry={begin} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t(work.step === 'running' ? 'common:action.cancel' : 'common:action.close')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function Finding({ finding: { ok, found, expected } }: { finding: Verification }) {
  const { t } = useTranslation('models');
  if (ok) {
    return (
      <Note state="good" icon={IconShieldCheck} role="status">
        {t('verify.ok')}
      </Note>
    );
  }
  return (
    <Note state="error" icon={IconAlertTriangle} role="alert" title={t('verify.broken')}>
      {t('verify.brokenHelp')}
      <Text size="xs" mt="xs" style={{ overflowWrap: 'anywhere' }}>
        {t('verify.found')} <Code>{found}</Code>
        <br />
        {t('verify.expected')} <Code>{expected}</Code>
      </Text>
    </Note>
  );
}
