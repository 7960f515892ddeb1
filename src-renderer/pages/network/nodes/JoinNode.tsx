import { Button, Checkbox, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FleetNode } from '../../../../src-preload/contract/fleet.ts';
import { codeFault, MAX_CODE_CHARS } from '../../../../src-preload/contract/pairing-code.ts';
import { client } from '../../../api/client.ts';
import { toQuarryError } from '../../../api/errors.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { OwnName } from './OwnName.tsx';
import { Paired } from './Paired.tsx';

/** Takes the code of another node, tells a typing mistake at once, and looks for that node until it is found or the dialog closes. */
export function JoinNode({ nodes, onClose }: { nodes: readonly FleetNode[]; onClose: () => void }) {
  const { t } = useTranslation(['network', 'common']);
  const [code, setCode] = useState('');
  const [mayControl, setMayControl] = useState(false);
  const leaving = useRef(new AbortController());
  const join = useMutation({
    mutationFn: () => {
      leaving.current = new AbortController();
      return client.fleet.join({ code, mayControl }, { signal: leaving.current.signal });
    },
  });
  useEffect(() => () => leaving.current.abort(), []);
  const fault = codeFault(code);
  const mistake = fault === 'short' ? undefined : fault;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!fault && !join.isPending) join.mutate();
  };
  const failed = join.error && toQuarryError(join.error).code !== 'CANCELLED' ? join.error : undefined;
  return (
    <Modal opened onClose={onClose} title={t('network:mine.joining.title')} size={480} centered>
      {join.data ? (
        <Stack>
          <Paired node={nodes.find(({ id }) => id === join.data.id) ?? join.data} />
          <Group justify="flex-end">
            <Button onClick={onClose}>{t('common:action.close')}</Button>
          </Group>
        </Stack>
      ) : (
        <form onSubmit={submit}>
          <Stack>
            <TextInput
              data-autofocus
              label={t('network:mine.joining.label')}
              description={!mistake && t('network:mine.joining.hint')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              error={mistake && t(`network:mine.joining.fault.${mistake}`)}
              value={code}
              maxLength={MAX_CODE_CHARS}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
              onChange={(event) => setCode(event.currentTarget.value)}
            />
            <OwnName nodes={nodes} />
            <Checkbox
              label={t('network:mine.offer.allow')}
              checked={mayControl}
              onChange={(event) => setMayControl(event.currentTarget.checked)}
            />
            {join.isPending && (
              <Text size="sm" c="var(--q-ink-2)" role="status">
                {t('network:mine.joining.looking')}
              </Text>
            )}
            <ErrorNote error={failed} />
            <Group justify="flex-end">
              <Button variant="default" onClick={join.isPending ? () => leaving.current.abort() : onClose}>
                {t('common:action.cancel')}
              </Button>
              <Button type="submit" loading={join.isPending} disabled={fault !== undefined}>
                {t('network:mine.joining.go')}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  );
}
