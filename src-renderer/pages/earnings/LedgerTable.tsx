import { Badge, Group, Table, Text, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CreditEntry } from '../../../src-preload/contract/credits.ts';
import { WideTable } from '../../components/WideTable.tsx';
import { useFormat } from '../../i18n/format.ts';
import { worded } from '../../i18n/worded.ts';
import { isKnownKind, KIND_COLOURS } from './kinds.ts';

/** From here on there is room for a column each; below, what an entry is about stands in one, before its credits and points. */
const WIDE = 'md';

/** Entries of the ledger, newest first. */
export function LedgerTable({ entries }: { entries: CreditEntry[] }) {
  const { t } = useTranslation('earnings');
  return (
    <WideTable title={t('ledger.title')} minWidth={280} highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col" visibleFrom={WIDE}>
            {t('ledger.time')}
          </Table.Th>
          <Table.Th scope="col" visibleFrom={WIDE}>
            {t('ledger.kind')}
          </Table.Th>
          <Table.Th scope="col">{t('ledger.details')}</Table.Th>
          <Table.Th scope="col" ta="right">
            {t('ledger.credits')}
          </Table.Th>
          <Table.Th scope="col" ta="right">
            {t('ledger.points')}
          </Table.Th>
          <Table.Th scope="col" ta="right" visibleFrom={WIDE}>
            {t('ledger.number')}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {entries.map((entry) => (
          <LedgerRow key={entry.seq} entry={entry} />
        ))}
      </Table.Tbody>
    </WideTable>
  );
}

function LedgerRow({ entry }: { entry: CreditEntry }) {
  const { t } = useTranslation('earnings');
  const format = useFormat();
  const { seq, at, kind, amount, points } = entry;
  return (
    <Table.Tr>
      <Table.Td style={{ whiteSpace: 'nowrap' }} visibleFrom={WIDE}>
        {format.time(at)}
      </Table.Td>
      <Table.Td visibleFrom={WIDE}>
        <KindBadge kind={kind} />
      </Table.Td>
      {/* Without a width of its own, it takes what the others leave, and cuts off what is longer. */}
      <Table.Td maw={0} w="100%">
        <Group gap="xs" hiddenFrom={WIDE}>
          <KindBadge kind={kind} />
          <Text size="xs" c="dimmed">
            {format.time(at)}
          </Text>
        </Group>
        <Details entry={entry} />
      </Table.Td>
      <Amount value={amount} />
      <Amount value={points} />
      <Table.Td ta="right" visibleFrom={WIDE}>
        <Tooltip label={t('ledger.numberMeaning')}>
          <Text component="span" size="sm" c="dimmed">
            {seq}
          </Text>
        </Tooltip>
      </Table.Td>
    </Table.Tr>
  );
}

/** What an entry is about. */
function Details({ entry }: { entry: CreditEntry }) {
  const { t } = useTranslation('earnings');
  const { requestId } = entry;
  const happened = worded(entry, 'happened');
  return (
    <>
      {happened && (
        <Text size="sm" lineClamp={3} title={happened}>
          {happened}
        </Text>
      )}
      {requestId && (
        <Text size="xs" c="dimmed" truncate title={requestId}>
          {t('ledger.request', { id: requestId })}
        </Text>
      )}
    </>
  );
}

function Amount({ value }: { value: number }) {
  const format = useFormat();
  return (
    <Table.Td ta="right" c={value === 0 ? 'dimmed' : undefined} fw={value === 0 ? undefined : 600}>
      {format.signed(value)}
    </Table.Td>
  );
}

/** The name of an entry's kind; what it means on hover. A kind of a newer version shows as main calls it. */
function KindBadge({ kind }: { kind: string }) {
  const { t } = useTranslation('earnings');
  if (!isKnownKind(kind))
    return (
      <Badge variant="light" miw="max-content">
        {kind}
      </Badge>
    );
  return (
    <Tooltip label={t(`kind.${kind}.meaning`)} multiline maw={280}>
      <Badge variant="light" miw="max-content" color={KIND_COLOURS[kind]}>
        {t(`kind.${kind}.name`)}
      </Badge>
    </Tooltip>
  );
}
