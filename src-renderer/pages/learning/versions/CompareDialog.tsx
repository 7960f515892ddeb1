import { Modal, Select, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AdapterVersion, VersionComparison } from '../../../../src-preload/contract/learning-versions.ts';
import { api } from '../../../api/client.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { TableSkeleton } from '../../../components/page/TableSkeleton.tsx';
import { useFocusBack } from '../../../components/use-focus-back.ts';
import { useFormat } from '../../../i18n/format.ts';
import classes from '../learning.module.css';
import { measuredOf } from './measured.ts';
import { versionName } from './version-name.ts';

interface CompareDialogProps {
  version: AdapterVersion;
  others: readonly AdapterVersion[];
  onClose: () => void;
}

/** A version beside another one, at first beside the one that it was learnt on from. */
export function CompareDialog({ version, others, onClose }: CompareDialogProps) {
  const { t } = useTranslation('learning');
  useFocusBack();
  const choice = others.filter(({ id }) => id !== version.id);
  const [other, setOther] = useState(choice.find(({ id }) => id === version.parent)?.id ?? choice[0]?.id ?? '');
  const { data, error } = useAnswer({
    ...api.learning.compare.queryOptions({ input: { one: version.id, other } }),
    enabled: other !== '',
  });
  return (
    <Modal opened onClose={onClose} title={t('compare.title', { name: versionName(version) })} size="lg">
      <Stack>
        <Select
          label={t('compare.with')}
          data={choice.map((one) => ({ value: one.id, label: versionName(one) }))}
          value={other}
          allowDeselect={false}
          onChange={(chosen) => chosen !== null && setOther(chosen)}
          data-autofocus
        />
        <ErrorNote error={error} />
        {!data && !error && <TableSkeleton rows={4} />}
        {data && <Compared comparison={data} />}
      </Stack>
    </Modal>
  );
}

function Compared({ comparison: { one, other, modules } }: { comparison: VersionComparison }) {
  const { t } = useTranslation('learning');
  const format = useFormat();
  const share = (value: number | undefined) => (value === undefined ? '–' : format.percent(value));
  const [first, second] = [measuredOf(one), measuredOf(other)];
  const names = [versionName(one), versionName(other)] as const;
  return (
    <div className={classes.scroll}>
      <Table aria-label={t('compare.table')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th />
            <Table.Th ta="right">{names[0]}</Table.Th>
            <Table.Th ta="right">{names[1]}</Table.Th>
            <Table.Th ta="right">{t('compare.apart')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {(['compliance', 'capability'] as const).map((name) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{t(`measure.${name}`)}</Table.Th>
              <Table.Td ta="right">{share(first[name])}</Table.Td>
              <Table.Td ta="right">{share(second[name])}</Table.Td>
              <Table.Td />
            </Table.Tr>
          ))}
          {modules.map(({ module, ...norms }) => (
            <Table.Tr key={module}>
              <Table.Th scope="row" ff="monospace" fz={12}>
                {module}
              </Table.Th>
              {(['one', 'other', 'apart'] as const).map((which) => (
                <Table.Td key={which} ta="right">
                  {format.number(norms[which], 3)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="sm" c="var(--q-ink-3)" mt={8}>
        {t('compare.norms')}
      </Text>
    </div>
  );
}
