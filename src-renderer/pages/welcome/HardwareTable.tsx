import { Table, Text } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { Hardware } from '../../../src-preload/contract/node.ts';
import { type Format, useFormat } from '../../i18n/format.ts';
import { worded } from '../../i18n/worded.ts';

type Texts = TFunction<'welcome'>;
type Value<Part extends keyof Hardware> = NonNullable<Hardware[Part]['value']>;

/** How the value of each part is written. */
const WRITTEN: { [Part in keyof Hardware]: (value: Value<Part>, t: Texts, format: Format) => string } = {
  os: ({ name, arch }) => `${name} (${arch})`,
  cpu: ({ model, logicalCores, physicalCores }, t) =>
    [model, t('hardware.cores', { count: physicalCores ?? logicalCores })].join(', '),
  memory: ({ total, available }, t, format) =>
    t('hardware.free', { total: format.bytes(total), free: format.bytes(available) }),
  gpus: (gpus, t, format) => gpus.map((gpu) => graphicsCard(gpu, t, format)).join('; ') || t('hardware.noGpu'),
  disk: ({ total, free }, t, format) => t('hardware.free', { total: format.bytes(total), free: format.bytes(free) }),
  battery: ({ present, onBattery, percent }, t, format) => {
    if (!present) return t('hardware.noBattery');
    const charge = percent === undefined ? '' : ` (${format.percent(percent / 100)})`;
    return t(onBattery ? 'hardware.onBattery' : 'hardware.onMains') + charge;
  },
  temperature: ({ cpu, gpu }, t, format) =>
    [
      cpu !== undefined && t('hardware.cpuHeat', { degrees: format.number(cpu) }),
      gpu !== undefined && t('hardware.gpuHeat', { degrees: format.number(gpu) }),
    ]
      .filter(Boolean)
      .join(', '),
};
const PARTS = Object.keys(WRITTEN) as (keyof Hardware)[];

/** What was found in this computer, and why the rest is not known. */
export function HardwareTable({ hardware }: { hardware: Hardware }) {
  const { t } = useTranslation('welcome');
  return (
    <Table variant="vertical" layout="fixed" withTableBorder aria-label={t('hardware.title')}>
      <Table.Tbody>
        {PARTS.map((part) => (
          <Table.Tr key={part}>
            <Table.Th scope="row" w={{ base: 140, sm: 190 }}>
              {t(`hardware.${part}`)}
            </Table.Th>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              <Part part={part} hardware={hardware} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Part<P extends keyof Hardware>({ part, hardware }: { part: P; hardware: Hardware }) {
  const { t } = useTranslation(['welcome', 'common']);
  const format = useFormat();
  const { value, reason, said } = hardware[part];
  if (value !== undefined) return WRITTEN[part](value as Value<P>, t as unknown as Texts, format);
  return (
    <Text size="sm" c="dimmed">
      {reason ? t('hardware.unknown', { reason: worded({ reason, said }, 'reason') }) : t('common:unknown')}
    </Text>
  );
}

function graphicsCard(gpu: Value<'gpus'>[number], t: Texts, format: Format): string {
  const memory = gpu.vramTotal === undefined ? '' : `, ${format.bytes(gpu.vramTotal)}`;
  return gpu.name + memory + (gpu.backend ? '' : ` (${t('hardware.gpuUnused')})`);
}
