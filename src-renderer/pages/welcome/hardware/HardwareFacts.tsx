import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { Hardware } from '../../../../src-preload/contract/node.ts';
import { type Format, useFormat } from '../../../i18n/format.ts';
import { worded } from '../../../i18n/worded.ts';
import classes from '../welcome.module.css';

type Texts = TFunction<'welcome'>;
type Value<Part extends keyof Hardware> = NonNullable<Hardware[Part]['value']>;

/** How the value of each part is written. */
const WRITTEN: { [Part in keyof Hardware]: (value: Value<Part>, t: Texts, format: Format) => string } = {
  cpu: ({ model, logicalCores, physicalCores }, t) =>
    [model, t('hardware.cores', { count: physicalCores ?? logicalCores })].join(', '),
  gpus: (gpus, t, format) => gpus.map((gpu) => graphicsCard(gpu, t, format)).join('; ') || t('hardware.noGpu'),
  memory: ({ total, available }, t, format) =>
    t('hardware.free', { total: format.bytes(total), free: format.bytes(available) }),
  disk: ({ total, free }, t, format) => t('hardware.free', { total: format.bytes(total), free: format.bytes(free) }),
  os: ({ name, arch }) => `${name} (${arch})`,
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
/** Models run on these; of the rest nobody needs to know here that it is not known. */
const DECIDING: readonly (keyof Hardware)[] = ['cpu', 'gpus', 'memory', 'disk'];
const PARTS = Object.keys(WRITTEN) as (keyof Hardware)[];

/** What was found in this computer; of what decides about models also why it is not known. */
export function HardwareFacts({ hardware }: { hardware: Hardware }) {
  const { t } = useTranslation('welcome');
  const shown = PARTS.filter((part) => hardware[part].value !== undefined || DECIDING.includes(part));
  return (
    <dl className={classes.facts} aria-label={t('hardware.title')}>
      {shown.map((part) => (
        <Fact key={part} name={t(`hardware.${part}`)} part={part} hardware={hardware} />
      ))}
    </dl>
  );
}

function Fact<P extends keyof Hardware>({ name, part, hardware }: { name: string; part: P; hardware: Hardware }) {
  const { t } = useTranslation(['welcome', 'common']);
  const format = useFormat();
  const { value, reason, said } = hardware[part];
  return (
    <>
      <dt>{name}</dt>
      {value !== undefined ? (
        <dd>{WRITTEN[part](value as Value<P>, t as unknown as Texts, format)}</dd>
      ) : (
        <dd className={classes.unknown}>
          {reason ? t('hardware.unknown', { reason: worded({ reason, said }, 'reason') }) : t('common:unknown')}
        </dd>
      )}
    </>
  );
}

function graphicsCard(gpu: Value<'gpus'>[number], t: Texts, format: Format): string {
  const memory = gpu.vramTotal === undefined ? '' : `, ${format.bytes(gpu.vramTotal)}`;
  return gpu.name + memory + (gpu.backend ? '' : ` (${t('hardware.gpuUnused')})`);
}
