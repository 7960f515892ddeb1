import { Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Hardware } from '../../../src-preload/contract/node.ts';
import { Facts } from '../../components/page/Inspector.tsx';
import { Section } from '../../components/Section.tsx';
import { useFormat } from '../../i18n/format.ts';

/** What this computer is made of; what cannot be read has no row. */
export function System({ hardware }: { hardware: Hardware | undefined }) {
  const { t } = useTranslation('computer');
  const format = useFormat();
  const { os, cpu, memory, disk, battery, temperature } = hardware ?? {};
  const cores = cpu?.value?.physicalCores;
  return (
    <Section title={t('system.title')}>
      {!hardware && <Skeleton height={150} aria-hidden />}
      {hardware && (
        <Facts
          facts={[
            [t('use.cpu'), cpu?.value?.model],
            [t('system.cores'), cores !== undefined && format.number(cores)],
            [t('use.memory'), memory?.value && format.bytes(memory.value.total)],
            [
              t('system.disk'),
              disk?.value &&
                t('system.free', { free: format.bytes(disk.value.free), total: format.bytes(disk.value.total) }),
            ],
            [
              t('system.battery'),
              battery?.value?.present && t(battery.value.onBattery ? 'system.onBattery' : 'system.onMains'),
            ],
            [t('system.heat'), temperature?.value?.cpu === undefined && hardware && t('system.unread')],
            [t('system.os'), os?.value && `${os.value.name} (${os.value.arch})`],
          ]}
        />
      )}
    </Section>
  );
}
